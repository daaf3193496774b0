#pragma once

#include <optional>
#include <vector>

#include "adapters/sql/ledgers/engine.hpp"
#include "domain/ticket.hpp"

namespace sluice::ledgers {

std::optional<TicketRecord> find_ticket(Database&, TicketId, UserId buyer);

/// Those of the tickets that the journal has.
std::vector<TicketRecord> find_tickets(Database&, const std::vector<Ticket>&);

/// The buyer's latest in the sale, by the time of the claim.
std::optional<TicketRecord> find_latest_ticket(Database&, SaleId, UserId buyer);

/// All records with the same ticket, pass or key.
std::vector<TicketRecord> list_wish(Database&, const Ticket&);

/// The outcome of the ticket's wish: its own record or, with its id, the record of the ticket that
/// had decided the same wish.
std::optional<TicketRecord> find_answer(Database&, TicketId, UserId buyer);
std::optional<TicketRecord> find_latest_answer(Database&, SaleId, UserId buyer);

/// A ticket was added for a buyer who had tickets in the sale before. The later one of it and the
/// former latest becomes the latest; the other one is found by pass and key from now on.
void supersede(Database&, const Ticket& added);

/// Adds a ticket without an order, unless the journal has it. Returns whether it was added.
bool add_where_absent(Database&, const Ticket&, const TicketRecord&);

/// Writes the outcome of a ticket that was prepared.
void decide_ticket(Database&, const TicketRecord&, UserId buyer);

/// Tickets that are prepared and not parked, the oldest claim first.
std::vector<Ticket> list_prepared(Database&, std::size_t most);

}  // namespace sluice::ledgers
