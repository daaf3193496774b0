#include "cluster_simulation/intakes.hpp"

#include "base/outage.hpp"
#include "ports/taken.hpp"

namespace sluice::cluster_simulation {
namespace {

constexpr int kAttempts = 3;

}  // namespace

std::optional<OrderIntake::Slot> DirectIntake::reserve() {
    ++under_way_;
    return Slot(under_way_);
}

/// If the outcome of a commit is unknown, the same ticket is written again.
Task<OrderIntake::Taken> DirectIntake::submit(Slot slot, Ticket ticket) {
    const auto kept = std::move(slot);
    const std::vector<Ticket> tickets{ticket};
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
        try {
            const auto written = co_await ledger_.write(tickets);
            if (written.front()) co_return *written.front();
            co_return without_row(ticket, Fate::unknown);
        } catch (const UnknownOutcome&) {  // once more
        } catch (const Outage&) {
            co_return without_row(ticket, attempt == 1 ? Fate::not_taken : Fate::unknown);
        }
    }
    co_return without_row(ticket, Fate::unknown);
}

Task<OrderIntake::Taken> ReleasingIntake::submit(Slot slot, Ticket ticket) {
    auto taken = co_await intake_.submit(std::move(slot), ticket);
    const bool knows_nothing = taken.fate == Fate::unknown || taken.fate == Fate::not_taken;
    if (left_out_ == Switch::released_on_own_word && knows_nothing) {
        const std::vector<StockGate::ClaimName> claims{StockGate::ClaimName(ticket)};
        co_await gate_.release(claims);
    }
    co_return taken;
}

}  // namespace sluice::cluster_simulation
