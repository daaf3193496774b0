#include "adapters/mariadb/ticket_set.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/hot_outbox.hpp"
#include "adapters/sql/ledgers/ticket_writer.hpp"
#include "adapters/sql/ledgers/tickets.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/part.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "base/encoding.hpp"
#include "domain/hot_copy_rules.hpp"
#include "domain/ticket_rules.hpp"
#include "ports/taken.hpp"

namespace sluice::mariadb {
namespace {

using Taken = OrderIntake::Taken;
using Tickets = std::vector<const Ticket*>;
using BuyerOfSale = std::pair<SaleId, UserId>;

Tickets pointers_to(const std::vector<Ticket>& tickets) {
    Tickets pointers;
    pointers.reserve(tickets.size());
    for (const auto& ticket : tickets) pointers.push_back(&ticket);
    return pointers;
}

/// The sales of the batch, locked. Whoever else takes units of one waits until our commit.
std::map<SaleId, std::optional<Sale>> lock_sales(Connection& connection, const Tickets& tickets) {
    std::map<SaleId, std::optional<Sale>> sales;
    for (const auto* ticket : tickets) sales.try_emplace(ticket->id.sale);
    for (auto& [id, sale] : sales) {
        connection.has_row(own::lock_sale, id);
        sale = ledgers::find_sale(connection, id);
    }
    return sales;
}

/// Of the buyers in the batch, those who have history in the sale. Throws InArchive when a sale is
/// archived, which is known here without asking again.
std::set<BuyerOfSale> find_known_buyers(Connection& connection, const Tickets& tickets,
                                        const std::map<SaleId, std::optional<Sale>>& sales) {
    boost::json::array wanted, wanted_sales;
    for (const auto& [id, sale] : sales) wanted_sales.push_back(id.value);
    for (const auto* ticket : tickets)
        wanted.push_back({ticket->id.sale.value, ticket->buyer.value});
    std::set<BuyerOfSale> known;
    for (const auto& [sale, buyer] : connection.rows<std::tuple<SaleId, UserId>>(
             own::find_known_buyers, boost::json::serialize(wanted),
             boost::json::serialize(wanted_sales))) {
        if (buyer == UserId{}) throw ledgers::InArchive(sale);
        known.emplace(sale, buyer);
    }
    return known;
}

/// Of the tickets, those on record.
std::vector<TicketRecord> list_records(sql::Database& database, const Tickets& tickets) {
    if (tickets.empty()) return {};
    boost::json::array wanted;
    for (const auto* ticket : tickets)
        wanted.push_back({ticket->buyer.value, ticket->id.sale.value, to_hex(ticket->id.mark)});
    return database.rows<JournalRow>(own::find_records, boost::json::serialize(wanted))
        .to_vector(to_record);
}

std::map<TicketId, TicketRecord> find_records(Connection& connection, const Tickets& tickets) {
    std::map<TicketId, TicketRecord> records;
    for (auto& record : list_records(connection, tickets)) records.emplace(record.id, record);
    return records;
}

/// Tickets of buyers who are new to their sale, decided in memory and written in bulk.
class NewBuyers {
  public:
    NewBuyers(Connection& connection, const std::map<SaleId, std::optional<Sale>>& sales,
              IdSource& ids, Timestamp now, sql::News& news)
        : connection_(connection),
          ids_(ids),
          now_(now),
          news_(news),
          add_holding_(connection.statement(sql::begin_holding)),
          add_ticket_(connection.statement(sql::add_ticket)),
          add_order_(connection.statement(sql::add_order)) {
        for (const auto& [id, sale] : sales) counters_[id].sale = sale;
    }
    NewBuyers(const NewBuyers&) = delete;
    NewBuyers& operator=(const NewBuyers&) = delete;
    /// The statements outlive a batch that failed between them; its rows must not be sent with
    /// those of the next one.
    ~NewBuyers() {
        for (auto* statement : {&add_holding_, &add_ticket_, &add_order_}) statement->forget_rows();
    }

    Taken decide(const Ticket& ticket) {
        auto& counter = counters_.at(ticket.id.sale);
        auto record = prepare(ticket);
        const TicketFacts facts{.sale = counter.sale ? &*counter.sale : nullptr,
                                .left = counter.sale ? counter.sale->stock.left : 0,
                                .held = 0};
        if (const auto reason = reason_to_roll_back(record, facts))
            roll_back(record, *reason);
        else
            commit(record, OrderId{ids_.next(now_)});
        const auto units = record.order ? record.quantity : 0;
        add_holding_.keep_row(ticket.id.sale, ticket.buyer, units, ticket.id.mark);
        add_ticket_.keep_row(to_row(ticket, record));
        const bool is_news = news_.wants(ticket.buyer);
        if (is_news) of_buyers_.push_back({ticket.buyer, record});
        auto taken = as_taken(record, record, true);
        if (record.order) taken.needs_outbox_row = add_order(counter, ticket, record, is_news);
        return taken;
    }

    /// Writes what was decided.
    void finish() {
        const auto written = add_holding_.run_rows();
        CHECK(add_ticket_.run_rows() == written, "each ticket has its buyer's row");
        add_order_.run_rows();
        for (auto& [id, counter] : counters_) finish(id, counter);
    }

    /// Notes what is news, once nothing can undo the batch alone.
    void tell() {
        for (auto& sale : changed_) news_.note(std::move(sale));
        for (auto& each : of_buyers_) news_.note(std::move(each));
    }

    std::optional<Timestamp> first_due() const { return first_due_; }

  private:
    struct Counter {
        std::optional<Sale> sale;  // with what is left after the tickets decided so far
        std::int64_t taken = 0;
        std::int64_t orders = 0;
        std::vector<HotChange> untold{};
    };

    /// Whether a row of the hot outbox tells of it.
    bool add_order(Counter& counter, const Ticket& ticket, const TicketRecord& record,
                   bool is_news) {
        auto& sale = *counter.sale;
        sale.stock.left -= record.quantity;
        counter.taken += record.quantity;
        ++counter.orders;
        auto order = make_order(record, ticket.buyer, sale, now_);
        first_due_ = std::min(first_due_.value_or(order.expires_at), order.expires_at);
        add_order_.keep_row(to_row(order));
        if (is_news) of_buyers_.push_back({ticket.buyer, std::move(order)});
        auto untold = hot_change_for_order(ticket, record, sale);
        if (untold) counter.untold.push_back(*untold);
        return untold.has_value();
    }

    void finish(SaleId id, Counter& counter) {
        if (counter.taken == 0) return;
        CHECK(connection_.run(sql::take_units, id, counter.taken) == 1,
              "no more is taken than was left");
        connection_.run(sql::tally_orders, id, counter.orders);
        ledgers::HotOutboxWriter outbox(connection_, now_);
        for (auto& change : counter.untold) outbox.add(id, std::move(change));
        outbox.finish();
        changed_.push_back(ledgers::find_sale(connection_, id).value());
    }

    Connection& connection_;
    IdSource& ids_;
    const Timestamp now_;
    sql::News& news_;
    PreparedStatement& add_holding_;
    PreparedStatement& add_ticket_;
    PreparedStatement& add_order_;
    std::map<SaleId, Counter> counters_;
    std::vector<Sale> changed_;
    std::vector<BuyerNews> of_buyers_;
    std::optional<Timestamp> first_due_;
};

/// The batch as a whole. Throws when the rows of one ticket do not fit together. Those of buyers
/// who have history in the sale are left out: their wish may be on record.
std::map<TicketId, Taken> prepare_new(Connection& connection, const Tickets& tickets,
                                      const std::map<SaleId, std::optional<Sale>>& sales) {
    auto known = find_known_buyers(connection, tickets, sales);
    auto& add_holding = connection.statement(sql::begin_holding);
    auto& add_ticket = connection.statement(sql::add_ticket);
    std::map<TicketId, Taken> taken;
    for (const auto* ticket : tickets) {
        if (!known.emplace(ticket->id.sale, ticket->buyer).second) continue;
        const auto record = prepare(*ticket);
        add_holding.keep_row(ticket->id.sale, ticket->buyer, 0, ticket->id.mark);
        add_ticket.keep_row(to_row(*ticket, record));
        taken.emplace(ticket->id, as_taken(record, record, true));
    }
    add_holding.run_rows();
    add_ticket.run_rows();
    return taken;
}

/// The batch as a whole. Throws when the rows of one ticket do not fit together.
ledgers::WrittenTickets write_together(Connection& connection, IdSource& ids, Timestamp now,
                                       sql::News& news, const Tickets& tickets,
                                       const std::map<SaleId, std::optional<Sale>>& sales) {
    auto known = find_known_buyers(connection, tickets, sales);
    std::vector<std::optional<Taken>> taken(tickets.size());
    NewBuyers fresh(connection, sales, ids, now, news);
    Tickets again;
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const auto& ticket = *tickets[i];
        // If a buyer has two tickets in the batch, the second one is that of a known buyer.
        if (known.emplace(ticket.id.sale, ticket.buyer).second)
            taken[i] = fresh.decide(ticket);
        else
            again.push_back(&ticket);
    }
    fresh.finish();
    auto due = fresh.first_due();
    ledgers::TicketWriter one_by_one(connection, ids, now, news);
    if (!again.empty()) {
        const auto records = find_records(connection, again);
        for (std::size_t i = 0; i < tickets.size(); ++i) {
            if (taken[i]) continue;
            const auto own = records.find(tickets[i]->id);
            // Most of them are repeated requests, whose outcome stands.
            const bool stands = own != records.end() &&
                                own->second.state != TicketState::prepared &&
                                !was_given_up(own->second);
            taken[i] =
                stands ? as_taken(own->second, own->second, false) : one_by_one.write(*tickets[i]);
        }
        one_by_one.finish();
        if (const auto later = one_by_one.first_due()) due = std::min(due.value_or(*later), *later);
    }
    fresh.tell();
    one_by_one.tell();
    ledgers::WrittenTickets written;
    written.first_due = due;
    for (auto& each : taken) written.outcomes.emplace_back(std::move(*each));
    return written;
}

}  // namespace

std::vector<TicketLedger::Written> prepare_tickets(sql::Database& database,
                                                   const std::vector<Ticket>& tickets) {
    auto& connection = dynamic_cast<Connection&>(database);
    const auto all = pointers_to(tickets);
    const auto sales = lock_sales(connection, all);
    std::map<TicketId, Taken> fresh;
    if (tickets.size() > 1 &&
        sql::run_part(connection, [&] { fresh = prepare_new(connection, all, sales); })) {
        fresh.clear();
        for (const auto sql : {sql::begin_holding, sql::add_ticket})
            connection.statement(sql).forget_rows();
    }
    std::vector<Ticket> others;
    for (const auto& ticket : tickets)
        if (!fresh.contains(ticket.id)) others.push_back(ticket);
    auto one_by_one = ledgers::prepare_tickets(database, others);
    auto next = one_by_one.begin();
    std::vector<TicketLedger::Written> prepared;
    prepared.reserve(tickets.size());
    for (const auto& ticket : tickets) {
        const auto at = fresh.find(ticket.id);
        if (at == fresh.end())
            prepared.push_back(std::move(*next++));
        else
            prepared.emplace_back(at->second);
    }
    return prepared;
}

std::vector<TicketRecord> find_tickets(sql::Database& database,
                                       const std::vector<Ticket>& tickets) {
    return list_records(database, pointers_to(tickets));
}

ledgers::WrittenTickets write_tickets(sql::Database& database, IdSource& ids, Timestamp now,
                                      sql::News& news, const Tickets& tickets) {
    auto& connection = dynamic_cast<Connection&>(database);
    // Before the part that may be undone alone, so that the locks stay.
    const auto sales = lock_sales(connection, tickets);
    ledgers::WrittenTickets written;
    const auto together = [&] {
        written = write_together(connection, ids, now, news, tickets, sales);
    };
    if (tickets.size() > 1 && !sql::run_part(connection, together)) return written;
    return ledgers::write_tickets(database, ids, now, news, tickets);
}

}  // namespace sluice::mariadb
