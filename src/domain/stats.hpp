#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// The orders of a sale by their outcome. One that was refunded later still counts as paid.
struct OrderTally {
    std::int64_t orders = 0;
    std::int64_t paid = 0;
    std::int64_t expired = 0;

    friend bool operator==(const OrderTally&, const OrderTally&) = default;
};

/// The orders of a sale and its stock, both at the same instant.
struct SaleTally {
    OrderTally orders;
    Stock stock;

    friend bool operator==(const SaleTally&, const SaleTally&) = default;
};

/// How far people came in a sale: in total, or within a period.
struct Funnel {
    std::int64_t visits = 0;                       // somebody looked at the sale
    std::int64_t challenges = 0;                   // handed out
    std::int64_t passes = 0;                       // handed out, renewals included
    std::int64_t attempts = 0;                     // to buy, whatever came of it
    std::map<std::string, std::int64_t> refusals;  // of a challenge, a pass or an attempt, by code
    std::int64_t claims = 0;                       // attempts that won units
    OrderTally orders;

    friend bool operator==(const Funnel&, const Funnel&) = default;
};

void add(Funnel& to, const Funnel& more);
void subtract(Funnel& from, const Funnel& less);

/// For purchases, from the request's last byte to its answer; zero when there was none.
struct LatencyPercentiles {
    std::chrono::microseconds p50{0}, p90{0}, p99{0}, p999{0};

    friend bool operator==(const LatencyPercentiles&, const LatencyPercentiles&) = default;
};

LatencyPercentiles slower_of(const LatencyPercentiles& a, const LatencyPercentiles& b);

/// A period in a sale: what happened in it, and the state at its end.
struct StatsPoint {
    SaleId sale;
    Timestamp at;           // its beginning
    std::int64_t node = 0;  // that has counted it
    Funnel funnel;
    Stock stock;
    std::int64_t backlog = 0;
    LatencyPercentiles latency;

    friend bool operator==(const StatsPoint&, const StatsPoint&) = default;
};

/// Merges the same period on another node. Counts and backlogs are added; latencies become those of
/// the slower node, since percentiles cannot be added. The stock is the same for all nodes.
void merge(StatsPoint& into, const StatsPoint& other);

/// What one node has counted in a sale since the sale began, and its state.
struct NodeTotals {
    SaleId sale{};
    std::int64_t node = 0;
    Funnel funnel{};
    Timestamp at{};
    std::int64_t backlog = 0;
    LatencyPercentiles latency{};

    friend bool operator==(const NodeTotals&, const NodeTotals&) = default;
};

/// The longest period of a point, and how long points of that kind are kept.
enum class Resolution { second, minute };

constexpr std::chrono::seconds length_of(Resolution resolution) {
    return std::chrono::seconds{resolution == Resolution::second ? 1 : 60};
}
constexpr std::chrono::hours life_of(Resolution resolution) {
    return std::chrono::hours{resolution == Resolution::second ? 1 : 30 * 24};
}

}  // namespace sluice
