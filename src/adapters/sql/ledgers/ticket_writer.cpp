#include "adapters/sql/ledgers/ticket_writer.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/hot_outbox.hpp"
#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/part.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "domain/hot_copy_rules.hpp"
#include "domain/ticket_rules.hpp"
#include "ports/taken.hpp"

namespace sluice::ledgers {

TicketWriter::TicketWriter(Database& database, IdSource& ids, Timestamp now, News& news)
    : database_(database),
      ids_(ids),
      now_(now),
      news_(news),
      add_ticket_(database.repeat(sql::add_ticket)),
      begin_holding_(database.repeat(sql::begin_holding)),
      hold_units_(database.repeat(sql::hold_units)),
      add_order_(database.repeat(sql::add_order)) {}

OrderIntake::Taken TicketWriter::write(const Ticket& ticket) {
    auto& counter = counter_of(ticket.id.sale);
    auto record = prepare(ticket);
    decide(counter, record, 0);
    const auto units = record.order ? record.quantity : 0;
    // Nearly every buyer is new to the sale, and a new buyer has no earlier ticket to look for.
    if (begin_holding_.run(ticket.id.sale, ticket.buyer, units, ticket.id.mark) == 0)
        return write_again(counter, ticket);
    add(ticket, record);
    return carry_out(counter, std::move(record), ticket);
}

/// Writes a ticket of a buyer who has been here before: the same wish may be in the journal.
OrderIntake::Taken TicketWriter::write_again(Counter& counter, const Ticket& ticket) {
    auto wish = ticket;
    auto past = list_wish(database_, wish);
    auto own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    // It was noted with another pass, which is the one that counts: the wish is that of the record.
    if (own != past.end() && own->pass != ticket.pass) {
        wish = as_noted(ticket, *own);
        past = list_wish(database_, wish);
        own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    }
    const auto [is_final, decision] = judge_wish(past, wish);
    if (is_final) return as_taken(*own, *decision, false);
    auto record = own == past.end() ? prepare(ticket) : *own;
    if (decision) {
        roll_back_as_same_wish(record, decision->id);
    } else {
        decide(counter, record, units_of(ticket));
        if (record.order) hold_units_.run(ticket.id.sale, ticket.buyer, record.quantity);
    }
    if (own == past.end()) {
        add(ticket, record);
        supersede(database_, ticket);
    } else {
        decide_ticket(database_, record, ticket.buyer);
    }
    if (decision) return as_taken(std::move(record), *decision, false);
    return carry_out(counter, std::move(record), ticket);
}

std::int64_t TicketWriter::units_of(const Ticket& ticket) {
    return database_.value<std::int64_t>(sql::find_units, ticket.id.sale, ticket.buyer);
}

void TicketWriter::finish() {
    auto take_units = database_.repeat(sql::take_units);
    auto tally_orders = database_.repeat(sql::tally_orders);
    for (auto& [id, counter] : counters_) {
        if (counter.taken == 0) continue;
        CHECK(take_units.run(id, counter.taken) == 1, "no more is taken than was left");
        tally_orders.run(id, counter.orders);
        auto& stock = counter.sale->stock;
        stock.left -= counter.taken;
        stock.held += counter.taken;
        ++counter.sale->news_seq;
        if (counter.has_outbox_rows) counter.sale = find_sale(database_, id);
    }
}

void TicketWriter::tell() {
    for (const auto& [id, counter] : counters_)
        if (counter.taken > 0) news_.note(*counter.sale);
    for (auto& news : of_buyers_) news_.note(std::move(news));
}

TicketWriter::Counter& TicketWriter::counter_of(SaleId sale) {
    const auto [found, fresh] = counters_.try_emplace(sale);
    if (!fresh) return found->second;
    found->second.sale = find_sale(database_, sale);
    // After that: where engines lock the sale, nobody archives it from then on.
    expect_in_ledger(database_, sale);
    return found->second;
}

void TicketWriter::add(const Ticket& ticket, const TicketRecord& record) {
    const auto added = add_ticket_.run(to_row(ticket, record));
    if (added != 1)
        throw std::logic_error("ticket " + ticket.id.text() +
                               " is there without its buyer's history; run sluice audit");
}

void TicketWriter::decide(const Counter& counter, TicketRecord& record, std::int64_t held) {
    TicketFacts facts{.sale = nullptr, .left = 0, .held = held};
    if (counter.sale) {
        facts.sale = &*counter.sale;
        facts.left = counter.sale->stock.left - counter.taken;
    }
    if (const auto reason = reason_to_roll_back(record, facts)) return roll_back(record, *reason);
    commit(record, OrderId{ids_.next(now_)});
}

/// Everything that follows from a decision: the order, the row for the hot copy, and the news.
OrderIntake::Taken TicketWriter::carry_out(Counter& counter, TicketRecord record,
                                           const Ticket& ticket) {
    const bool is_news = news_.wants(ticket.buyer);
    if (is_news) of_buyers_.push_back({ticket.buyer, record});
    auto outcome = as_taken(record, record, true);
    if (!record.order) return outcome;
    const auto& sale = *counter.sale;
    counter.taken += record.quantity;
    ++counter.orders;
    auto order = make_order(record, ticket.buyer, sale, now_);
    first_due_ = std::min(first_due_.value_or(order.expires_at), order.expires_at);
    add_order_.run(to_row(order));
    if (is_news) of_buyers_.push_back({ticket.buyer, std::move(order)});
    const auto untold = hot_change_for_order(ticket, record, sale);
    if (!untold) return outcome;
    add_hot_change(database_, sale.id, *untold, now_);
    counter.has_outbox_rows = outcome.needs_outbox_row = true;
    return outcome;
}

WrittenTickets write_tickets(Database& database, IdSource& ids, Timestamp now, News& news,
                             const std::vector<const Ticket*>& tickets) {
    WrittenTickets written;
    written.outcomes.reserve(tickets.size());
    const auto write = [&](std::span<const Ticket* const> part) {
        TicketWriter writer(database, ids, now, news);
        std::vector<OrderIntake::Taken> taken;
        taken.reserve(part.size());
        for (const auto* ticket : part) taken.push_back(writer.write(*ticket));
        writer.finish();
        writer.tell();
        for (auto& each : taken) written.outcomes.push_back(std::move(each));
        if (const auto due = writer.first_due())
            written.first_due = std::min(written.first_due.value_or(*due), *due);
    };
    if (!run_part(database, [&] { write(tickets); })) return written;
    for (const auto& ticket : tickets)
        if (auto failure = run_part(database, [&] { write({&ticket, 1}); }))
            written.outcomes.push_back(std::unexpected(std::move(failure)));
    return written;
}

}  // namespace sluice::ledgers
