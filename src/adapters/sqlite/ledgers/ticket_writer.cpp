#include "adapters/sqlite/ledgers/ticket_writer.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "adapters/sqlite/engine/part.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/catalog.hpp"
#include "adapters/sqlite/ledgers/journal.hpp"
#include "base/check.hpp"
#include "domain/order.hpp"

namespace sluice::sqlite {
namespace {

void roll_back(TicketRecord& record, Reason reason) {
    record.state = TicketState::rolled_back;
    record.reason = reason;
    record.order.reset();
}

std::optional<std::string_view> reason_text(const TicketRecord& record) {
    if (!record.reason) return std::nullopt;
    return journal_text(*record.reason);
}

OrderIntake::Taken taken(TicketRecord record, bool fresh, const std::optional<Sale>& sale) {
    const auto fate = record.state == TicketState::committed ? OrderIntake::Fate::ordered
                                                             : OrderIntake::Fate::refused;
    return {
        .fate = fate, .record = std::move(record), .fresh = fresh, .epoch = sale ? sale->epoch : 0};
}

}  // namespace

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
    decide(counter, record);
    const auto units = record.order ? record.quantity : 0;
    const bool newcomer =
        begin_holding_.run(ticket.id.sale, ticket.buyer, units, ticket.id.mark) == 1;
    // Nearly everybody is new to the sale, and who is has no earlier ticket to look for.
    if (!newcomer) {
        if (auto known = find_wish(database_, ticket))
            return write_known(ticket, std::move(*known));
        if (record.order && !hold(counter, record, ticket.buyer))
            roll_back(record, Reason::limit_reached);
    }
    add(ticket, record);
    if (!newcomer) supersede(database_, ticket);
    carry_out(counter, record, ticket.buyer);
    gather_news(counter, record, ticket.buyer);
    return taken(std::move(record), true, counter.sale);
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
    }
    for (const auto& [id, counter] : counters_)
        if (counter.taken > 0) news_.note(*counter.sale);
    for (auto& news : of_buyers_) news_.note(std::move(news));
}

TicketWriter::Counter& TicketWriter::counter_of(SaleId sale) {
    const auto [found, fresh] = counters_.try_emplace(sale);
    if (fresh) found->second.sale = find_sale(database_, sale);
    return found->second;
}

/// The same wish was here before: its outcome stands, unless there is none yet.
OrderIntake::Taken TicketWriter::write_known(const Ticket& ticket, TicketRecord known) {
    auto& counter = counter_of(ticket.id.sale);
    if (known.state != TicketState::prepared) return taken(std::move(known), false, counter.sale);
    if (known.id != ticket.id)
        return {.fate = OrderIntake::Fate::queued, .record = std::move(known), .fresh = false};

    decide(counter, known);
    if (known.order && !hold(counter, known, ticket.buyer)) roll_back(known, Reason::limit_reached);
    rewrite(known, ticket.buyer);
    carry_out(counter, known, ticket.buyer);
    gather_news(counter, known, ticket.buyer);
    return taken(std::move(known), true, counter.sale);
}

void TicketWriter::add(const Ticket& ticket, const TicketRecord& record) {
    const auto added =
        add_ticket_.run(ticket.buyer, ticket.id.sale, ticket.id.mark, ticket.quantity, ticket.epoch,
                        static_cast<int>(record.state), reason_text(record), record.order,
                        ticket.pass, ticket.key, ticket.claimed_at);
    if (added != 1)
        throw std::logic_error("ticket " + ticket.id.text() +
                               " is there without its buyer's history; run sluice audit");
}

/// By all but the buyer's units.
void TicketWriter::decide(const Counter& counter, TicketRecord& record) {
    if (!counter.sale) return roll_back(record, Reason::not_found);
    const auto& sale = *counter.sale;
    // The window as it was at the claim; a pause or an end as it is on record by now.
    if (const auto closed = closed_because(sale, record.claimed_at))
        return roll_back(record, *closed);
    if (sale.stock.left - counter.taken < record.quantity)
        return roll_back(record, Reason::sold_out);
    if (record.quantity > sale.limit_per_buyer) return roll_back(record, Reason::limit_reached);
    record.state = TicketState::committed;
    record.order = OrderId{ids_.next(now_)};
}

bool TicketWriter::hold(const Counter& counter, const TicketRecord& record, UserId buyer) {
    return hold_units_.run(record.id.sale, buyer, record.quantity, counter.sale->limit_per_buyer) ==
           1;
}

void TicketWriter::carry_out(Counter& counter, const TicketRecord& record, UserId buyer) {
    if (!record.order) return;
    const auto& sale = *counter.sale;
    counter.taken += record.quantity;
    ++counter.orders;
    const auto expires_at = expiry_of(sale);
    first_due_ = std::min(first_due_.value_or(expires_at), expires_at);
    add_order_.run(*record.order, sale.id, sale.item_id, buyer, record.id.mark, record.quantity,
                   sale.price_cents, std::string_view(sale.currency),
                   to_string(OrderState::pending), now_, expires_at);
}

void TicketWriter::rewrite(const TicketRecord& record, UserId buyer) {
    database_.run(sql::decide_ticket, buyer, record.id.sale, record.id.mark,
                  static_cast<int>(record.state), reason_text(record), record.order);
}

/// The hold begins when the order is there to be paid: time spent waiting for the ledger is not the
/// buyer's.
Timestamp TicketWriter::expiry_of(const Sale& sale) const {
    return now_ + std::chrono::seconds{sale.hold_seconds};
}

void TicketWriter::gather_news(const Counter& counter, const TicketRecord& record, UserId buyer) {
    if (!news_.wants(buyer)) return;
    of_buyers_.push_back({buyer, record});
    if (!record.order) return;
    const auto& sale = *counter.sale;
    of_buyers_.push_back({buyer, Order{.id = *record.order,
                                       .ticket = record.id,
                                       .sale_id = sale.id,
                                       .item_id = sale.item_id,
                                       .buyer = buyer,
                                       .quantity = record.quantity,
                                       .price_cents = sale.price_cents,
                                       .currency = sale.currency,
                                       .state = OrderState::pending,
                                       .created_at = now_,
                                       .expires_at = expiry_of(sale),
                                       .paid_at = std::nullopt}});
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

}  // namespace sluice::sqlite
