#pragma once

#include <expected>
#include <string>

#include "app/actor.hpp"
#include "app/claim_settler.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice {

/// Where an operator decides about tickets that no writer could write. A buyer was told that each
/// is queued, so it becomes an order or a refusal, and which one the buyer is told. Everything may
/// be repeated: what is decided stands, and is the answer. May throw Outage.
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
        never_parked,  // or nobody knows of it
        not_written,   // it stays parked, with one more try
        is_ordered,    // it was to be refused, and has become an order
    };
    using Decided = std::expected<TicketRecord, No>;

    /// Writes it now. It is ordered or refused then, as any ticket.
    Task<Decided> retry(TicketId id, Actor actor);

    /// The buyer does not get it, and its units return.
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
