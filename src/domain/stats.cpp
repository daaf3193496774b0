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

}  // namespace sluice
