#pragma once

#include <optional>
#include <string_view>

#include "app/catalog.hpp"
#include "app/pass_desk.hpp"
#include "domain/caller.hpp"
#include "domain/pass.hpp"
#include "domain/ticket.hpp"
#include "ports/clock.hpp"
#include "ports/order_intake.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// What a buyer asks for.
struct Wish {
    SaleId sale;
    std::string_view pass;
    std::string_view key;  // of idempotency; empty when there is none
    std::int64_t quantity = 1;
};

/// The one thing all of this is for. A wish is first considered, without waiting and without
/// leaving the process: that is where nearly everybody hears no. Who is left is carried out:
/// claim in the hot copy, durable hand-off, and only then yes.
class Purchase {
  public:
    Purchase(const Catalog& catalog, StockGate& gate, OrderIntake& intake, OrderLedger& ledger,
             const Passes& passes, const TicketMarks& marks, PassDesk& desk, const Clock& clock);

    /// A wish that is worth more than a look.
    struct Attempt {
        Ticket ticket;
        std::int64_t limit = 1;
        /// The buyer has a past in this sale: the wish may be an earlier one repeated.
        bool maybe_replay = false;
        /// The answer if it is not.
        std::optional<Refusal> refusal;
    };
    Outcome<Attempt> consider(const Wish& wish, const Caller& buyer) const;

    /// The ticket as it stands in the journal: ordered, or queued. A refusal may carry the ticket.
    /// May throw Outage: then nothing was promised, and the same wish may be sent again.
    Task<Outcome<TicketRecord>> carry_out(Attempt attempt);

  private:
    std::optional<Refusal> refusal_for(const Wish& wish, const Pass& pass, const Sale& sale,
                                       const StockGate::Glance& glance, Timestamp now) const;
    Task<Outcome<TicketRecord>> claim(Ticket ticket, std::int64_t limit);
    Task<Outcome<TicketRecord>> hand_off(Ticket ticket, bool claimed_now);
    Task<Outcome<TicketRecord>> limit_reached(Ticket ticket, std::optional<TicketId> latest);
    Task<> conclude(const Ticket& ticket, const OrderIntake::Taken& taken, bool claimed_now);

    const Catalog& catalog_;
    StockGate& gate_;
    OrderIntake& intake_;
    OrderLedger& ledger_;
    const Passes& passes_;
    const TicketMarks& marks_;
    PassDesk& desk_;
    const Clock& clock_;
};

}  // namespace sluice
