#pragma once

#include <vector>

#include "adapters/sql/ledgers/ticket_desk.hpp"

namespace sluice::mariadb {

/// Writes a batch of tickets in a few round trips, as a WriteTickets. First it locks the rows of
/// their sales, in the order of their ids: of two batches with the same sale one waits, and no two
/// wait for each other. Then it reads the records of all buyers and tickets as sets, decides the
/// tickets of buyers who are new to the sale in memory, and writes their rows in bulk. Tickets of
/// buyers with history in the sale, which are rare, are written one by one. If the rows of a ticket
/// do not fit together, all are written one by one, and that ticket fails alone.
ledgers::WrittenTickets write_tickets(sql::Database& database, IdSource& ids, Timestamp now,
                                      sql::News& news, const std::vector<const Ticket*>& tickets);

/// As a PrepareTickets, in the same way: those of buyers who are new to their sale in bulk.
std::vector<TicketLedger::Written> prepare_tickets(sql::Database& database,
                                                   const std::vector<Ticket>& tickets);

/// As a FindTickets: one round trip for all.
std::vector<TicketRecord> find_tickets(sql::Database& database, const std::vector<Ticket>& tickets);

}  // namespace sluice::mariadb
