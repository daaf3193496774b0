#include "adapters/redis/redis_nodes.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>

#include "base/outage.hpp"

namespace sluice::redis {
namespace {

using namespace std::chrono;

constexpr seconds kKeep = NodeDirectory::kMemory;

std::string to_text(const NodeDirectory::Node& node) {
    const auto& sign = node.sign;
    return boost::json::serialize(
        boost::json::object{{"url", sign.url},
                            {"roles", boost::json::array(sign.roles.begin(), sign.roles.end())},
                            {"version", sign.version},
                            {"started_at", to_millis(sign.started_at)},
                            {"on_duty", sign.is_on_duty},
                            {"requests_per_second", sign.requests_per_second},
                            {"connections", sign.connections},
                            {"copies", sign.copies},
                            {"cold", sign.cold},
                            {"drifting", sign.drifting},
                            {"drifts", sign.drifts},
                            {"seen_at", to_millis(node.seen_at)},
                            {"clock_difference_ms", node.clock_difference->count()}});
}

/// nullopt for texts that a server of another version may have written.
std::optional<NodeDirectory::Node> from_text(std::int64_t part, std::string_view text) {
    try {
        const auto json = boost::json::parse(text).as_object();
        const auto number = [&](const char* name) {
            return json.at(name).to_number<std::int64_t>();
        };
        NodeDirectory::Node node;
        node.sign = {.part = part,
                     .url = boost::json::value_to<std::string>(json.at("url")),
                     .roles = boost::json::value_to<std::vector<std::string>>(json.at("roles")),
                     .version = boost::json::value_to<std::string>(json.at("version")),
                     .started_at = from_millis(number("started_at")),
                     .is_on_duty = json.at("on_duty").as_bool(),
                     .requests_per_second = json.at("requests_per_second").to_number<double>(),
                     .connections = number("connections"),
                     .copies = number("copies"),
                     .cold = number("cold"),
                     .drifting = number("drifting"),
                     .drifts = number("drifts")};
        node.seen_at = from_millis(number("seen_at"));
        node.clock_difference = milliseconds{number("clock_difference_ms")};
        return node;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

RedisNodes::RedisNodes(Client& client, std::int64_t part, const Clock& clock)
    : client_(client), key_(client.options().prefix + "nodes"), part_(part), clock_(clock) {}

Task<Timestamp> RedisNodes::time_of_redis() {
    Call call{.script = nullptr, .words = {"TIME"}};
    const auto time = co_await client_.call(std::move(call));
    co_return from_millis(time[0].number() * 1'000 + time[1].number() / 1'000);
}

Task<Done> RedisNodes::give_sign(NodeSign own) {
    own.part = part_;
    Node node{.sign = std::move(own),
              .seen_at = clock_.now(),
              .is_gone = false,
              .is_own = true,
              .clock_difference = std::nullopt};
    remember(node);
    try {
        co_await tell(node);
        remember(std::move(node));
    } catch (const Outage&) {
        // The next sign follows soon, and an outage of Redis is reported elsewhere.
    } catch (const Overload&) {
    }
    co_return Done{};
}

Task<> RedisNodes::tell(Node& node) {
    const auto before = clock_.now();
    node.seen_at = co_await time_of_redis();
    // Redis read its clock at some time between our two readings.
    const auto middle = before + (clock_.now() - before) / 2;
    node.clock_difference = duration_cast<milliseconds>(middle - node.seen_at);
    const auto part = std::to_string(part_);
    const auto keep = std::to_string(kKeep.count());
    std::vector<Call> calls;
    calls.push_back({.script = nullptr, .words = {"HSET", key_, part, to_text(node)}});
    calls.push_back({.script = nullptr, .words = {"EXPIRE", key_, keep}});
    co_await client_.call_all(std::move(calls));
}

void RedisNodes::remember(Node own) {
    const MutexLock lock(mutex_);
    own_ = std::move(own);
}

Task<NodeDirectory::Nodes> RedisNodes::list() {
    try {
        auto nodes = co_await read();
        co_return nodes;
    } catch (const Outage&) {
        // The caller is told that the list is not complete.
    } catch (const Overload&) {
    }
    co_return own_node();
}

Task<NodeDirectory::Nodes> RedisNodes::read() {
    const auto now = co_await time_of_redis();
    Call call{.script = nullptr, .words = {"HGETALL", key_}};
    const auto fields = co_await client_.call(std::move(call));
    Nodes all;
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
        const auto part = fields[i].number();
        auto node = from_text(part, fields[i + 1].text());
        if (!node || now - node->seen_at > kMemory) {
            co_await forget(part);
            continue;
        }
        node->is_gone = now - node->seen_at > kPatience;
        node->is_own = part == part_;
        node->sign.is_on_duty = node->sign.is_on_duty && !node->is_gone;
        all.nodes.push_back(std::move(*node));
    }
    std::ranges::sort(all.nodes, {}, [](const Node& node) { return node.sign.part; });
    co_return all;
}

Task<> RedisNodes::forget(std::int64_t part) {
    Call call{.script = nullptr, .words = {"HDEL", key_, std::to_string(part)}};
    co_await client_.call(std::move(call));
}

NodeDirectory::Nodes RedisNodes::own_node() const {
    Nodes all;
    all.is_complete = false;
    const MutexLock lock(mutex_);
    if (own_) all.nodes.push_back(*own_);
    return all;
}

}  // namespace sluice::redis
