#pragma once

#include <exception>
#include <expected>
#include <optional>
#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/order_intake.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice::ledgers {

/// A batch of tickets as it was written.
struct WrittenTickets {
    /// In order: the outcome of each, or why it failed alone.
    std::vector<std::expected<OrderIntake::Taken, std::exception_ptr>> outcomes;
    std::optional<Timestamp> first_due;  // of the orders in it
};

/// Turns tickets into orders and refusals inside a transaction that it does not end, in the way
/// that is fast for an engine. A ticket whose rows do not fit together fails alone and changes
/// nothing. Throws when the store is away or has undone the transaction: then nothing of it may be
/// kept. The same batch may come again after that.
using WriteTickets = WrittenTickets (*)(Database&, IdSource&, Timestamp now, News&,
                                        const std::vector<const Ticket*>&);

/// Notes tickets as prepared, as TicketLedger::prepare() says, in the way that is fast for an
/// engine.
using PrepareTickets = std::vector<TicketLedger::Written> (*)(Database&,
                                                              const std::vector<Ticket>&);

/// What the journal has of these tickets, in any order, in the way that is fast for an engine.
using FindTickets = std::vector<TicketRecord> (*)(Database&, const std::vector<Ticket>&);

/// An engine's way to write tickets, with what it takes.
struct TicketDesk {
    WriteTickets write_tickets;
    News& news;
    const Clock& clock;
    IdSource& ids;

    WrittenTickets write(Database& database, const std::vector<const Ticket*>& tickets) const {
        return write_tickets(database, ids, clock.now(), news, tickets);
    }
};

}  // namespace sluice::ledgers
