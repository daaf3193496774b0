#include "http/router.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace sluice::http {
namespace {

constexpr std::size_t kMethods = static_cast<std::size_t>(Method::other) + 1;

/// Takes the next segment off a path that begins with a slash.
std::string_view take_segment(std::string_view& path) {
    path.remove_prefix(1);
    const auto end = std::min(path.find('/'), path.size());
    const auto segment = path.substr(0, end);
    path.remove_prefix(end);
    return segment;
}

}  // namespace

struct Router::Node {
    std::vector<std::pair<std::string_view, std::unique_ptr<Node>>> children;
    std::unique_ptr<Node> parameter;
    std::array<std::size_t, kMethods> routes;
    std::string allow;

    Node() { routes.fill(kNoRoute); }

    Node& child(std::string_view segment) {
        if (segment.starts_with('{')) {
            if (!parameter) parameter = std::make_unique<Node>();
            return *parameter;
        }
        if (Node* found = find(segment)) return *found;
        return *children.emplace_back(segment, std::make_unique<Node>()).second;
    }

    Node* find(std::string_view segment) const {
        for (const auto& [name, node] : children)
            if (name == segment) return node.get();
        return nullptr;
    }

    void allow_method(std::string_view method) {
        if (!allow.empty()) allow += ", ";
        allow += method;
    }
};

Router::Router(std::span<const Route> routes, Surfaces shown) : root_(std::make_unique<Node>()) {
    for (std::size_t i = 0; i < routes.size(); ++i) {
        if (!shown.show(routes[i].surface)) continue;
        Node* node = root_.get();
        std::size_t parameters = 0;
        for (auto path = routes[i].path; !path.empty();) {
            const auto segment = take_segment(path);
            if (segment.starts_with('{')) ++parameters;
            node = &node->child(segment);
        }
        CHECK(parameters <= kMaxParameters, "a route has more parameters than a match can hold");
        auto& slot = node->routes[static_cast<std::size_t>(routes[i].method)];
        CHECK(slot == kNoRoute, "two routes have the same method and path");
        slot = i;
        node->allow_method(to_string(routes[i].method));
        if (routes[i].method == Method::get) node->allow_method("HEAD");
    }
}

Router::~Router() = default;

Router::Match Router::find(Method method, std::string_view path) const {
    Match match;
    if (!path.starts_with('/')) return match;
    const Node* node = root_.get();
    std::size_t parameters = 0;
    while (!path.empty()) {
        const auto segment = take_segment(path);
        if (const Node* next = node->find(segment)) {
            node = next;
        } else if (node->parameter && !segment.empty()) {
            match.parameters[parameters++] = segment;
            node = node->parameter.get();
        } else {
            return match;
        }
    }
    match.allow = node->allow;
    if (method == Method::head) method = Method::get;
    match.route = node->routes[static_cast<std::size_t>(method)];
    return match;
}

}  // namespace sluice::http
