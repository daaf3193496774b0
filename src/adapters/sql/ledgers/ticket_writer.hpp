#pragma once

#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/ledgers/ticket_desk.hpp"
#include "base/id_source.hpp"
#include "domain/sale.hpp"
#include "ports/order_intake.hpp"

namespace sluice::ledgers {

/// Turns a batch of tickets into orders and refusals, inside one transaction that it does not end.
/// The ledger decides by its own rows, whatever the gate has promised.
class TicketWriter {
  public:
    TicketWriter(Database& database, IdSource& ids, Timestamp now, News& news);

    /// A ticket whose outcome is in the journal keeps it, and so does its double in the same batch.
    OrderIntake::Taken write(const Ticket& ticket);

    /// Moves the stock of every sale once, by what the whole batch took, and counts its orders. The
    /// batch is not written without it.
    void finish();

    /// Notes what is news, after finish(), once nothing can undo the batch alone.
    void tell();

    /// Of the orders it has written, when the first is due.
    std::optional<Timestamp> first_due() const { return first_due_; }

  private:
    struct Counter {
        std::optional<Sale> sale;
        std::int64_t taken = 0;  // units
        std::int64_t orders = 0;
        bool has_outbox_rows = false;
    };

    Counter& counter_of(SaleId sale);
    OrderIntake::Taken write_again(Counter& counter, const Ticket& ticket);
    std::int64_t units_of(const Ticket& ticket);
    void add(const Ticket& ticket, const TicketRecord& record);
    void decide(const Counter& counter, TicketRecord& record, std::int64_t held);
    OrderIntake::Taken carry_out(Counter& counter, TicketRecord record, const Ticket& ticket);

    Database& database_;
    IdSource& ids_;
    const Timestamp now_;
    News& news_;
    std::vector<BuyerNews> of_buyers_;
    std::optional<Timestamp> first_due_;
    boost::unordered_flat_map<SaleId, Counter, std::hash<SaleId>> counters_;
    Repeated add_ticket_;
    Repeated begin_holding_;
    Repeated hold_units_;
    Repeated add_order_;
};

/// Writes row by row, as a WriteTickets: all in one part, since that is fast, and one by one if
/// that fails.
WrittenTickets write_tickets(Database& database, IdSource& ids, Timestamp now, News& news,
                             const std::vector<const Ticket*>& tickets);

}  // namespace sluice::ledgers
