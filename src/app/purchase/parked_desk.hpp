#pragma once

#include <expected>
#include <string>

#include "app/office/actor.hpp"
#include "app/purchase/claim_settler.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice {

/// Where an operator decides tickets that no writer could write. Their buyers were told that they
/// are queued, so each becomes an order or a refusal, and the buyer is told which. Every call may
/// be repeated: a decided ticket stays decided, and its outcome is the answer. May throw Outage.
class ParkedDesk {
  public:
    ParkedDesk(ParkedLedger& parked, TicketLedger& tickets, OrderLedger& orders,
               ClaimSettler& settler, const Clock& clock, IdSource& ids)
        : parked_(parked),
          tickets_(tickets),
          orders_(orders),
          settler_(settler),
          clock_(clock),
          ids_(ids) {}

    enum class No {
        never_parked,  // or it is unknown
        not_written,   // it stays parked, with one more try
        is_ordered,    // was to be refused, but is an order by now
    };
    using Decided = std::expected<TicketRecord, No>;

    /// Writes it now, which orders or refuses it like any ticket.
    Task<Decided> retry(TicketId id, Actor actor);

    /// Refuses it, and its units return.
    Task<Decided> refuse(TicketId id, Actor actor);

  private:
    Task<Decided> find_decided(TicketId id);
    Task<Decided> stay_parked(Ticket ticket, std::string reason);
    Deed make_deed_of(const Actor& actor, const ParkedTicket& parked, const char* action,
                      TicketState state);

    ParkedLedger& parked_;
    TicketLedger& tickets_;
    OrderLedger& orders_;
    ClaimSettler& settler_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
