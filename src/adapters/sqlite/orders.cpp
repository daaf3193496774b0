#include "adapters/sqlite/orders.hpp"

#include <limits>

#include "adapters/sqlite/archive.hpp"
#include "adapters/sqlite/catalog.hpp"
#include "adapters/sqlite/journal.hpp"
#include "adapters/sqlite/receipts.hpp"
#include "adapters/sqlite/statements.hpp"
#include "adapters/sqlite/trail.hpp"
#include "adapters/sqlite/ways_back.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

Order read_order(const Statement& row) {
    const auto state = parse_order_state(row.column<std::string>(8));
    CHECK(state.has_value(), "the schema allows only known states");
    const auto sale = row.column<SaleId>(1);
    return {.id = row.column<OrderId>(0),
            .ticket = {sale, row.column<Mark>(4)},
            .sale_id = sale,
            .item_id = row.column<ItemId>(2),
            .buyer = row.column<UserId>(3),
            .quantity = row.column<std::int64_t>(5),
            .price_cents = row.column<std::int64_t>(6),
            .currency = row.column<std::string>(7),
            .state = *state,
            .created_at = row.column<Timestamp>(9),
            .expires_at = row.column<Timestamp>(10),
            .paid_at = row.column<std::optional<Timestamp>>(11)};
}

/// As the audit trail shows it.
std::string stock_text(const Stock& stock) {
    return "{\"stock\":{\"total\":" + std::to_string(stock.total) +
           ",\"left\":" + std::to_string(stock.left) + ",\"held\":" + std::to_string(stock.held) +
           ",\"sold\":" + std::to_string(stock.sold) + "}}";
}

TicketRecord fence_ticket(Database& database, const Ticket& ticket, std::vector<BuyerNews>& news) {
    const auto state = static_cast<int>(TicketState::rolled_back);
    const auto added =
        database.run(sql::add_ticket, ticket.buyer, ticket.id.sale, ticket.id.mark, ticket.quantity,
                     ticket.epoch, state, journal_text(Reason::busy), std::nullopt, ticket.pass,
                     ticket.key, ticket.claimed_at);
    if (added == 1) database.run(sql::begin_holding, ticket.id.sale, ticket.buyer, 0);
    auto record = find_ticket(database, ticket.id, ticket.buyer);
    CHECK(record.has_value(), "it was added, or there before");
    if (added == 1) news.push_back({ticket.buyer, *record});
    return std::move(*record);
}

std::vector<std::pair<UserId, std::int64_t>> load_holdings(Database& database, SaleId sale) {
    std::vector<std::pair<UserId, std::int64_t>> holdings;
    auto rows = database.query(sql::load_holdings, sale);
    while (rows.step()) holdings.emplace_back(rows.column<UserId>(0), rows.column<std::int64_t>(1));
    return holdings;
}

}  // namespace

Task<std::vector<TicketRecord>> Orders::tickets(SaleId sale, UserId buyer) {
    return readers_.read<std::vector<TicketRecord>>(
        [sale, buyer](Database& database) {
            return find_in_both(database,
                                [&](Database& one) { return list_tickets(one, sale, buyer); });
        });
}

Task<std::optional<TicketRecord>> Orders::ticket(TicketId id, UserId buyer) {
    return readers_.read<std::optional<TicketRecord>>(
        [id, buyer](Database& database) {
            return find_in_both(database,
                                [&](Database& one) { return find_ticket(one, id, buyer); });
        });
}

Task<std::optional<Order>> Orders::order(OrderId id, UserId buyer) {
    return readers_.read<std::optional<Order>>(
        [id, buyer](Database& database) {
            return find_in_both(
                database, [&](Database& one) { return find_order(one, id, buyer); });
        });
}

Task<std::vector<Order>> Orders::orders(UserId buyer, std::optional<OrderId> before,
                                        std::size_t limit) {
    const auto below = before.value_or(OrderId{std::numeric_limits<std::int64_t>::max()});
    return readers_.read<std::vector<Order>>([buyer, below, limit](Database& database) {
        return list_in_both(
            database, limit, [&](Database& one) { return list_orders(one, buyer, below, limit); },
            &Order::id);
    });
}

Task<Outcome<OrderLedger::GivenBack>> Orders::cancel(OrderId id, UserId buyer, Timestamp now) {
    return writer_.write<Outcome<GivenBack>>([id, buyer, now, &news = news_](Database& database) {
        return cancel_order(database, id, buyer, now, news);
    });
}

Task<std::optional<Timestamp>> Orders::next_due() {
    return readers_.read<std::optional<Timestamp>>(find_next_due);
}

Task<OrderLedger::Expired> Orders::expire(Timestamp now, std::size_t limit) {
    return writer_.write<Expired>([now, limit, &news = news_](Database& database) {
        return expire_orders(database, now, limit, news);
    });
}

Task<Outcome<OrderLedger::Restocked>> Orders::restock(SaleId sale, std::int64_t delta, Deed deed,
                                                      std::optional<Receipt> receipt) {
    return writer_.write<Outcome<Restocked>>([sale, delta, deed = std::move(deed),
                                              receipt = std::move(receipt),
                                              &news = news_](Database& database) {
        return restock_sale(database, sale, delta, deed, receipt, news);
    });
}

Task<std::vector<TicketRecord>> Orders::fence(std::vector<Ticket> tickets) {
    return writer_.write<std::vector<TicketRecord>>(
        [tickets = std::move(tickets), &news = news_](Database& database) {
            return fence_tickets(database, tickets, news);
        });
}

Task<std::vector<StockGate::Copy>> Orders::hot_copies(Timestamp now) {
    return readers_.read<std::vector<StockGate::Copy>>(
        [now](Database& database) { return read_hot_copies(database, now); });
}

std::optional<Order> find_order(Database& database, OrderId id, std::optional<UserId> buyer) {
    auto row = database.query(sql::find_order, id, buyer);
    if (!row.step()) return std::nullopt;
    return read_order(row);
}

std::vector<Order> list_orders(Database& database, UserId buyer, OrderId below, std::size_t limit) {
    std::vector<Order> orders;
    auto rows = database.query(sql::list_orders, buyer, below, limit);
    while (rows.step()) orders.push_back(read_order(rows));
    return orders;
}

Outcome<OrderLedger::GivenBack> cancel_order(Database& database, OrderId id, UserId buyer,
                                             Timestamp now, News& news) {
    auto order =
        find_in_both(database, [&](Database& one) { return find_order(one, id, buyer); });
    if (!order) return refuse(Reason::not_found);
    if (order->state == OrderState::cancelled) {
        const auto stock = find_sale(database, order->sale_id).value().stock;
        return OrderLedger::GivenBack{std::move(*order), std::nullopt, stock};
    }
    if (!is_pending_at(*order, now)) return refuse(Reason::conflict, Detail::not_pending);
    return give_back(database, std::move(*order), OrderState::cancelled, news);
}

Outcome<OrderLedger::Restocked> restock_sale(Database& database, SaleId id, std::int64_t delta,
                                             Deed deed, const std::optional<Receipt>& receipt,
                                             News& news) {
    auto sale = find_sale(database, id);
    if (!sale) return refuse(Reason::not_found);
    const auto done = create_once(database, receipt, [&]() -> Outcome<Done> {
        if (state_at(*sale, deed.at) == SaleState::ended) return refuse(Reason::ended);
        auto& stock = sale->stock;
        if (delta < -stock.left) return refuse(Reason::conflict, Detail::too_few_left);
        if (delta > kMaxStock - stock.total)
            return refuse(Reason::conflict, Detail::too_much_stock);
        // An edit that was decided before it must not write its old total over this one.
        CHECK(database.run(sql::restock, id, delta) == 1, "the sale was there just now");
        deed.before = stock_text(stock);
        stock.total += delta;
        stock.left += delta;
        deed.after = stock_text(stock);
        add_deed(database, deed);
        sale->version += 1;
        return Done{};
    });
    if (!done) return std::unexpected(done.error());
    const bool again = done->first_answer.has_value();
    if (!again) news.note(*sale);
    return OrderLedger::Restocked{sale->stock, again};
}

std::vector<TicketRecord> fence_tickets(Database& database, const std::vector<Ticket>& tickets,
                                        News& news) {
    std::vector<TicketRecord> records;
    records.reserve(tickets.size());
    std::vector<BuyerNews> fenced;
    for (const auto& ticket : tickets) records.push_back(fence_ticket(database, ticket, fenced));
    for (auto& each : fenced)
        if (news.wants(each.buyer)) news.note(std::move(each));
    return records;
}

std::vector<StockGate::Copy> read_hot_copies(Database& database, Timestamp now) {
    std::vector<StockGate::Copy> copies;
    auto rows = database.query(sql::list_live_sales, now);
    while (rows.step()) {
        const auto sale = rows.column<SaleId>(0);
        copies.push_back({.sale = sale,
                          .epoch = rows.column<std::int64_t>(1),
                          .left = rows.column<std::int64_t>(2),
                          .holdings = load_holdings(database, sale)});
    }
    return copies;
}

}  // namespace sluice::sqlite
