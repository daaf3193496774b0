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

LatencyPercentiles to_latency(const LatencyRow& row) {
    return {.p50 = Microseconds{row.p50},
            .p90 = Microseconds{row.p90},
            .p99 = Microseconds{row.p99},
            .p999 = Microseconds{row.p999}};
}

LatencyRow to_row(const LatencyPercentiles& latency) {
    return {.p50 = latency.p50.count(),
            .p90 = latency.p90.count(),
            .p99 = latency.p99.count(),
            .p999 = latency.p999.count()};
}

}  // namespace

SaleTally to_tally(const SaleTallyRow& row) {
    return {.orders = to_order_tally(row.orders), .stock = to_stock(row.stock)};
}

NodeTotals to_totals(const NodeTotalsRow& row) {
    return {.sale = row.sale,
            .node = row.node,
            .funnel = to_funnel(row.funnel),
            .at = row.at,
            .backlog = row.backlog,
            .latency = to_latency(row.latency)};
}

NodeTotalsRow to_row(const NodeTotals& totals) {
    return {.sale = totals.sale,
            .node = totals.node,
            .funnel = to_row(totals.funnel),
            .at = totals.at,
            .backlog = totals.backlog,
            .latency = to_row(totals.latency)};
}

StatsPoint to_point(const StatsPointRow& row) {
    return {.sale = row.sale,
            .at = row.at,
            .node = row.node,
            .funnel = to_funnel(row.funnel),
            .stock = to_stock(row.stock),
            .backlog = row.backlog,
            .latency = to_latency(row.latency)};
}

StatsPointRow to_row(const StatsPoint& point) {
    return {.sale = point.sale,
            .at = point.at,
            .node = point.node,
            .funnel = to_row(point.funnel),
            .stock = to_row(point.stock),
            .backlog = point.backlog,
            .latency = to_row(point.latency)};
}

}  // namespace sluice
