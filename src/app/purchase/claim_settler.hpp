#pragma once

#include <functional>
#include <vector>

#include "app/purchase/hot_outbox.hpp"
#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Brings claims in the hot copies in line with their rows in the journal: committed ones are
/// settled, rolled-back ones are released, and prepared ones are left to the writer. Each step may
/// be repeated. If the process crashes before a step, the reaper does it later.
class ClaimSettler {
  public:
    /// `on_missed`: called when the sale's hot copy does not know a committed ticket and has to be
    /// filled anew.
    ClaimSettler(StockGate& gate, HotOutbox& outbox, std::function<void(SaleId)> on_missed)
        : gate_(gate), outbox_(outbox), on_missed_(std::move(on_missed)) {}

    struct Decided {
        StockGate::ClaimName claim;
        TicketState state;
        bool needs_outbox_row = false;  // an outbox row tells the copy of its units
    };
    Task<> conclude(std::vector<Decided> claims);

    /// The outcome that an intake or a writer reports for a ticket, as a claim to conclude. nullopt
    /// if the journal has not decided the ticket. Unlike the one above, this conclude() throws
    /// nothing if the copy is away: the reaper does it later.
    Task<> conclude(const Ticket& ticket, const OrderIntake::Taken& taken);
    static std::optional<Decided> decided(const Ticket& ticket, const OrderIntake::Taken& taken);

  private:
    StockGate& gate_;
    HotOutbox& outbox_;
    const std::function<void(SaleId)> on_missed_;
};

}  // namespace sluice
