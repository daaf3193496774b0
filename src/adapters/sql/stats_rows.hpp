#pragma once

#include <cstdint>
#include <string>

#include "adapters/sql/catalog_rows.hpp"
#include "base/timestamp.hpp"
#include "domain/stats.hpp"

namespace sluice {

struct OrderTallyRow {
    std::int64_t orders = 0;
    std::int64_t paid = 0;
    std::int64_t expired = 0;
};

struct SaleTallyRow {
    OrderTallyRow orders;
    StockRow stock;
};
SaleTally to_tally(const SaleTallyRow& row);

struct FunnelRow {
    std::int64_t visits = 0;
    std::int64_t challenges = 0;
    std::int64_t passes = 0;
    std::int64_t attempts = 0;
    std::int64_t claims = 0;
    std::string refusals;  // JSON: how many of each code
    OrderTallyRow orders;
};

/// In microseconds.
struct LatencyRow {
    std::int64_t p50 = 0;
    std::int64_t p90 = 0;
    std::int64_t p99 = 0;
    std::int64_t p999 = 0;
};

struct NodeTotalsRow {
    SaleId sale;
    std::int64_t node = 0;
    FunnelRow funnel;
    Timestamp at;
    std::int64_t backlog = 0;
    LatencyRow latency;
};
NodeTotals to_totals(const NodeTotalsRow& row);
NodeTotalsRow to_row(const NodeTotals& totals);

struct StatsPointRow {
    SaleId sale;
    Timestamp at;
    std::int64_t node = 0;
    FunnelRow funnel;
    StockRow stock;
    std::int64_t backlog = 0;
    LatencyRow latency;
};
StatsPoint to_point(const StatsPointRow& row);
StatsPointRow to_row(const StatsPoint& point);

}  // namespace sluice
