#include "api/office/admin_nodes.hpp"

#include <cmath>

#include <boost/json/array.hpp>

#include "api/answers.hpp"

namespace sluice::api {
namespace {

boost::json::object to_json(const NodeDirectory::Node& node) {
    const auto& sign = node.sign;
    boost::json::object json{
        {"id", std::to_string(sign.part)},
        {"url", sign.url},
        {"roles", boost::json::array(sign.roles.begin(), sign.roles.end())},
        {"version", sign.version},
        {"state", node.is_gone ? "gone" : "running"},
        {"this_node", node.is_own},
        {"on_duty", sign.is_on_duty},
        {"started_at", to_rfc3339(sign.started_at)},
        {"last_seen_at", to_rfc3339(node.seen_at)},
        {"clock_difference_ms", nullptr},
        {"requests_per_second", std::round(sign.requests_per_second * 10) / 10},
        {"connections", sign.connections},
        {"hot_copies",
         {{"copies", sign.copies},
          {"cold", sign.cold},
          {"drifting", sign.drifting},
          {"drifts", sign.drifts}}}};
    if (node.clock_difference) json["clock_difference_ms"] = node.clock_difference->count();
    return json;
}

}  // namespace

Task<> AdminNodes::show(http::Exchange& exchange) {
    const auto all = co_await nodes_.list();
    boost::json::array nodes;
    for (const auto& node : all.nodes) nodes.push_back(to_json(node));
    answer(exchange, 200, {{"nodes", std::move(nodes)}, {"complete", all.is_complete}});
}

}  // namespace sluice::api
