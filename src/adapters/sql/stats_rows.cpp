#include "adapters/sql/stats_rows.hpp"

#include <chrono>
#include <map>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {
namespace {

using Refusals = std::map<std::string, std::int64_t>;
using Microseconds = std::chrono::microseconds;

std::string to_text(const Refusals& refusals) {
    boost::json::object json;
    for (const auto& [code, count] : refusals) json[code] = count;
    return boost::json::serialize(json);
}

Refusals parse_refusals(const std::string& text) {
    Refusals refusals;
    const auto json = boost::json::parse(text);
    for (const auto& [code, count] : json.as_object()) refusals.emplace(code, count.as_int64());
    return refusals;
}

OrderTally to_order_tally(const OrderTallyRow& row) {
    return {.orders = row.orders, .paid = row.paid, .expired = row.expired};
}

}  // namespace

SaleTally to_tally(const SaleTallyRow& row) {
    return {.orders = to_order_tally(row.orders), .stock = to_stock(row.stock)};
}

Funnel to_funnel(const FunnelRow& row) {
    return {.visits = row.visits,
            .challenges = row.challenges,
            .passes = row.passes,
            .attempts = row.attempts,
            .refusals = parse_refusals(row.refusals),
            .claims = row.claims,
            .orders = to_order_tally(row.orders)};
}

FunnelRow to_row(const Funnel& funnel) {
    const auto& [orders, paid, expired] = funnel.orders;
    return {.visits = funnel.visits,
            .challenges = funnel.challenges,
            .passes = funnel.passes,
            .attempts = funnel.attempts,
            .claims = funnel.claims,
            .refusals = to_text(funnel.refusals),
            .orders = {.orders = orders, .paid = paid, .expired = expired}};
}

StatsPoint to_point(const StatsPointRow& row) {
    return {.sale = row.sale,
            .at = row.at,
            .funnel = to_funnel(row.funnel),
            .stock = to_stock(row.stock),
            .backlog = row.backlog,
            .latency = {.p50 = Microseconds{row.latency.p50},
                        .p90 = Microseconds{row.latency.p90},
                        .p99 = Microseconds{row.latency.p99},
                        .p999 = Microseconds{row.latency.p999}}};
}

StatsPointRow to_row(const StatsPoint& point) {
    return {.sale = point.sale,
            .at = point.at,
            .funnel = to_row(point.funnel),
            .stock = to_row(point.stock),
            .backlog = point.backlog,
            .latency = {.p50 = point.latency.p50.count(),
                        .p90 = point.latency.p90.count(),
                        .p99 = point.latency.p99.count(),
                        .p999 = point.latency.p999.count()}};
}

}  // namespace sluice
