#include "app/purchase/claim_settler.hpp"

#include <set>
#include <utility>

#include "base/outage.hpp"

namespace sluice {
namespace {

/// The journal has decided, whether or not the hot copy can be reached: a buyer whose order is
/// committed must not be told that it failed. The claim stays open, and the reaper settles or
/// releases it later.
Task<> ignore_outage(Task<> conclusion) {
    try {
        co_await std::move(conclusion);
    } catch (const Outage&) {
    } catch (const Overload&) {
    }
}

}  // namespace

std::optional<ClaimSettler::Decided> ClaimSettler::decided(const Ticket& ticket,
                                                           const OrderIntake::Taken& taken) {
    using Fate = OrderIntake::Fate;
    // Whoever writes a queued ticket concludes it.
    if (taken.fate != Fate::ordered && taken.fate != Fate::refused) return std::nullopt;
    return Decided{.claim = StockGate::ClaimName(ticket),
                   .state = taken.own.state,
                   .needs_outbox_row = taken.fresh && taken.needs_outbox_row};
}

Task<> ClaimSettler::conclude(const Ticket& ticket, const OrderIntake::Taken& taken) {
    std::vector<Decided> claims;
    if (const auto claim = decided(ticket, taken)) claims.push_back(*claim);
    return ignore_outage(conclude(std::move(claims)));
}

Task<> ClaimSettler::conclude(std::vector<Decided> claims) {
    std::vector<StockGate::ClaimName> committed, rolled_back;
    std::set<SaleId> behind;
    for (const auto& [claim, state, needs_outbox_row] : claims) {
        if (state == TicketState::committed) committed.push_back(claim);
        if (state == TicketState::rolled_back) rolled_back.push_back(claim);
        if (needs_outbox_row) behind.insert(claim.ticket.sale);
    }
    if (!committed.empty()) {
        const auto missed = co_await gate_.settle(std::move(committed));
        for (const auto& ticket : missed) on_missed_(ticket.sale);
    }
    if (!rolled_back.empty()) co_await gate_.release(std::move(rolled_back));
    for (const auto sale : behind) co_await outbox_.catch_up(sale);
}

}  // namespace sluice
