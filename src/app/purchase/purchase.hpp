#pragma once

#include <optional>

#include "app/purchase/claim_settler.hpp"
#include "domain/ticket.hpp"
#include "ports/entry_desk.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// The answer to a ticket's buyer: the record, or why it was refused.
Outcome<TicketRecord> as_answer(const TicketRecord& record);

/// Carries out a purchase that the turnstile has let through: first the claim in the hot copy, then
/// the durable hand-off, and only then a positive answer.
class Purchase {
  public:
    Purchase(StockGate& gate, OrderIntake& intake, OrderLedger& ledger, ClaimSettler& settler,
             const TicketMarks& marks, EntryDesk& desk)
        : gate_(gate),
          intake_(intake),
          ledger_(ledger),
          settler_(settler),
          marks_(marks),
          desk_(desk) {}

    /// A wish that the turnstile has let through.
    struct Attempt {
        Ticket ticket;
        std::int64_t limit = 1;
        /// The buyer has a past in this sale: the wish may be an earlier one repeated.
        bool maybe_replay = false;
        /// The answer unless the wish is an earlier one repeated.
        std::optional<Refusal> refusal;
    };
    /// The ticket as it stands in the journal: ordered, or queued. A refusal may name the ticket.
    /// May throw Outage: then nothing was promised, and the same wish may be sent again.
    Task<Outcome<TicketRecord>> carry_out(Attempt attempt);

  private:
    Task<bool> is_under_way(const Attempt& attempt);
    Task<Outcome<TicketRecord>> try_until_decided(Ticket ticket, std::int64_t limit);
    Task<StockGate::Claimed> claim(const Ticket& ticket, std::int64_t limit);
    Task<Outcome<TicketRecord>> hand_off(OrderIntake::Slot slot, Ticket ticket);

    StockGate& gate_;
    OrderIntake& intake_;
    OrderLedger& ledger_;
    ClaimSettler& settler_;
    const TicketMarks& marks_;
    EntryDesk& desk_;
};

}  // namespace sluice
