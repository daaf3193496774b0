#include "http/request.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

#include "base/ascii.hpp"
#include "base/encoding.hpp"

namespace sluice::http {
namespace {

/// One `name=value` of a query, still percent-encoded.
struct Pair {
    std::string_view name, value;
};

// Boost.URL 1.81 would do this, but reads beyond the end of a query without a NUL after it.
Pair take_pair(std::string_view& rest) {
    const auto ampersand = rest.find('&');
    const auto pair = rest.substr(0, ampersand);
    rest.remove_prefix(ampersand == rest.npos ? rest.size() : ampersand + 1);
    const auto equals = pair.find('=');
    return {pair.substr(0, equals),
            equals == pair.npos ? std::string_view{} : pair.substr(equals + 1)};
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

std::string_view Request::header(std::string_view name) const {
    return find_header(name).value_or(std::string_view{});
}

std::optional<std::string_view> Request::find_header(std::string_view name) const {
    for (const auto& field : fields)
        if (equals_ignoring_case(field.name, name)) return field.value;
    return std::nullopt;
}

std::string Request::list_header(std::string_view name) const {
    std::string list;
    for (const auto& field : fields) {
        if (!equals_ignoring_case(field.name, name)) continue;
        if (!list.empty()) list += ", ";
        list += field.value;
    }
    return list;
}

std::optional<QueryFlaw> Request::find_query_flaw(const KnownQuery& known) const {
    if (!known.strict()) return std::nullopt;
    std::bitset<KnownQuery::kMost> seen;
    for (auto rest = query; !rest.empty();) {
        const auto pair = take_pair(rest);
        if (pair.name.empty() && pair.value.empty()) continue;
        const auto name = percent_decode(pair.name);
        const auto place = name ? known.place_of(*name) : std::nullopt;
        if (!place) return QueryFlaw{pair.name, Rule::unknown_parameter};
        if (pair.value.empty()) return QueryFlaw{pair.name, Rule::empty};
        if (seen[*place]) return QueryFlaw{pair.name, Rule::given_twice};
        seen.set(*place);
    }
    return std::nullopt;
}

Parameter Request::parameter(std::string_view name) const {
    for (auto rest = query; !rest.empty();) {
        const auto pair = take_pair(rest);
        if (percent_decode(pair.name) != name) continue;
        auto text = percent_decode(pair.value);
        if (!text) return {.form = Parameter::Form::broken};
        return {.form = Parameter::Form::given, .text = std::move(*text)};
    }
    return {};
}

void Request::clear() {
    method = Method::get;
    path = query = authority = body = {};
    keep_alive = true;
    http_1_0 = false;
    fields.clear();
}

}  // namespace sluice::http
