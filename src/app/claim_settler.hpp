#pragma once

#include <functional>
#include <vector>

#include "app/hot_outbox.hpp"
#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Brings claims in the hot copies in line with their rows in the journal: the committed are
/// settled, the rolled back are released, and the prepared are left to the writer. Each step may be
/// repeated. A crash before any of them does no harm: the reaper does it later.
class ClaimSettler {
  public:
    /// `on_missed`: the sale's hot copy does not know of a committed ticket, and has to be filled
    /// anew.
    ClaimSettler(StockGate& gate, HotOutbox& outbox, std::function<void(SaleId)> on_missed)
        : gate_(gate), outbox_(outbox), on_missed_(std::move(on_missed)) {}

    struct Decided {
        StockGate::ClaimName claim;
        TicketState state;
        bool is_told_by_outbox = false;  // an outbox row tells the copy of its units
    };
    Task<> conclude(std::vector<Decided> claims);

    /// What an intake or a writer says of a ticket, as a claim to conclude. nullopt if the journal
    /// has not decided the ticket. The first throws nothing if the copy is away: see the reaper.
    Task<> conclude(const Ticket& ticket, const OrderIntake::Taken& taken);
    static std::optional<Decided> decided(const Ticket& ticket, const OrderIntake::Taken& taken);

  private:
    StockGate& gate_;
    HotOutbox& outbox_;
    const std::function<void(SaleId)> on_missed_;
};

}  // namespace sluice
