#include "domain/stats.hpp"

#include <algorithm>

namespace sluice {

void add(Funnel& to, const Funnel& more) {
    to.visits += more.visits;
    to.challenges += more.challenges;
    to.passes += more.passes;
    to.attempts += more.attempts;
    for (const auto& [code, count] : more.refusals) to.refusals[code] += count;
    to.claims += more.claims;
    to.orders.orders += more.orders.orders;
    to.orders.paid += more.orders.paid;
    to.orders.expired += more.orders.expired;
}

void subtract(Funnel& from, const Funnel& less) {
    from.visits -= less.visits;
    from.challenges -= less.challenges;
    from.passes -= less.passes;
    from.attempts -= less.attempts;
    for (const auto& [code, count] : less.refusals) from.refusals[code] -= count;
    std::erase_if(from.refusals, [](const auto& refusal) { return refusal.second == 0; });
    from.claims -= less.claims;
    from.orders.orders -= less.orders.orders;
    from.orders.paid -= less.orders.paid;
    from.orders.expired -= less.orders.expired;
}

LatencyPercentiles slower_of(const LatencyPercentiles& a, const LatencyPercentiles& b) {
    return {.p50 = std::max(a.p50, b.p50),
            .p90 = std::max(a.p90, b.p90),
            .p99 = std::max(a.p99, b.p99),
            .p999 = std::max(a.p999, b.p999)};
}

void merge(StatsPoint& into, const StatsPoint& other) {
    add(into.funnel, other.funnel);
    into.stock = other.stock;
    into.backlog += other.backlog;
    into.latency = slower_of(into.latency, other.latency);
}

}  // namespace sluice
