#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "adapters/sqlite/connection.hpp"
#include "domain/ticket.hpp"

namespace sluice::sqlite {

std::optional<TicketRecord> find_ticket(Database&, TicketId, UserId buyer);

/// The latest first.
std::vector<TicketRecord> list_tickets(Database&, SaleId, UserId buyer);

/// The ticket that decided the same wish before, the nearest if there are several; else the record
/// of this very ticket, which stands also if it decided nothing: it is a fence.
std::optional<TicketRecord> find_wish(Database&, const Ticket&);

/// A ticket as a record that has no outcome yet.
TicketRecord prepare(const Ticket&);

/// How the journal writes a reason; CHECKs that it is one a ticket can have.
std::string_view journal_text(Reason);

}  // namespace sluice::sqlite
