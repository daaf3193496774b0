#pragma once

#include <functional>
#include <optional>

#include "app/hot_outbox.hpp"
#include "app/pass_desk.hpp"
#include "domain/ticket.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// The one thing all of this is for, for those whom the gate has let through: claim in the hot
/// copy, durable hand-off, and only then yes.
class Purchase {
  public:
    /// `on_missed`: the sale's hot copy does not know of a committed ticket, and has to be filled
    /// anew.
    Purchase(StockGate& gate, OrderIntake& intake, OrderLedger& ledger, HotOutbox& outbox,
             const TicketMarks& marks, PassDesk& desk, std::function<void(SaleId)> on_missed)
        : gate_(gate),
          intake_(intake),
          ledger_(ledger),
          outbox_(outbox),
          marks_(marks),
          desk_(desk),
          on_missed_(std::move(on_missed)) {}

    /// A wish that is worth more than a look.
    struct Attempt {
        Ticket ticket;
        std::int64_t limit = 1;
        /// The buyer has a past in this sale: the wish may be an earlier one repeated.
        bool maybe_replay = false;
        /// The answer if it is not.
        std::optional<Refusal> refusal;
    };
    /// The ticket as it stands in the journal: ordered, or queued. A refusal may carry the ticket.
    /// May throw Outage: then nothing was promised, and the same wish may be sent again.
    Task<Outcome<TicketRecord>> carry_out(Attempt attempt);

  private:
    Task<Outcome<TicketRecord>> try_until_decided(Ticket ticket, std::int64_t limit);
    Task<StockGate::Claimed> claim(const Ticket& ticket, std::int64_t limit);
    Task<Outcome<TicketRecord>> hand_off(OrderIntake::Place place, Ticket ticket);
    Task<> conclude(const Ticket& ticket, const OrderIntake::Taken& taken);

    StockGate& gate_;
    OrderIntake& intake_;
    OrderLedger& ledger_;
    HotOutbox& outbox_;
    const TicketMarks& marks_;
    PassDesk& desk_;
    const std::function<void(SaleId)> on_missed_;
};

}  // namespace sluice
