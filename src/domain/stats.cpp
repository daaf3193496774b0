#include "domain/stats.hpp"

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

}  // namespace sluice
