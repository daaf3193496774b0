#include "adapters/sql/ledgers/orders.hpp"

#include <limits>
#include <tuple>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/holds.hpp"
#include "adapters/sql/ledgers/hot_outbox.hpp"
#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/ways_back.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/part.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "base/encoding.hpp"
#include "domain/hot_copy_rules.hpp"
#include "domain/order_rules.hpp"
#include "domain/ticket_rules.hpp"

namespace sluice::ledgers {
namespace {

struct FencedTicket {
    TicketRecord record;
    bool added = false;
};

FencedTicket fence_ticket(Database& database, const Ticket& ticket) {
    const bool added = add_where_absent(database, ticket, fence_of(ticket));
    auto record = find_ticket(database, ticket.id, ticket.buyer);
    CHECK(record.has_value(), "it was added, or there before");
    return {std::move(*record), added};
}

StockGate::Holdings load_holdings(Database& database, SaleId sale) {
    StockGate::Holdings holdings;
    for (const auto& [buyer, units] :
         database.rows<std::tuple<UserId, std::int64_t>>(sql::load_holdings, sale))
        holdings.emplace_back(buyer, units);
    return holdings;
}

}  // namespace

Task<OrderLedger::Past> Orders::past(Ticket ticket) {
    return readers_.read<Past>([ticket = std::move(ticket)](Database& database) {
        auto past = read_past(database, ticket);
        if (past.latest) return past;
        auto* archive = archive_for(database, Sought{.sale = ticket.id.sale});
        if (!archive) return past;
        return ask_archive(database, *archive,
                           [&](Database& one) { return read_past(one, ticket); });
    });
}

Task<std::optional<TicketRecord>> Orders::latest_ticket(SaleId sale, UserId buyer) {
    return readers_.read<std::optional<TicketRecord>>([sale, buyer](Database& database) {
        return find_in_both(database, Sought{.sale = sale},
                            [&](Database& one) { return find_latest_answer(one, sale, buyer); });
    });
}

Task<UnpaidHolds> Orders::unpaid_holds(SaleId sale, UserId buyer) {
    return readers_.read<UnpaidHolds>(
        [sale, buyer](Database& database) { return find_unpaid_holds(database, sale, buyer); });
}

Task<std::optional<TicketRecord>> Orders::ticket(TicketId id, UserId buyer) {
    return readers_.read<std::optional<TicketRecord>>([id, buyer](Database& database) {
        return find_in_both(database, Sought{.sale = id.sale},
                            [&](Database& one) { return find_answer(one, id, buyer); });
    });
}

Task<std::optional<Order>> Orders::order(OrderId id, UserId buyer) {
    return readers_.read<std::optional<Order>>([id, buyer](Database& database) {
        auto order = find_in_both(database, Sought{.from = id},
                                  [&](Database& one) { return find_order(one, id, buyer); });
        if (order && order->state == OrderState::pending)
            order->payment_failed = database.has_row(sql::has_failed_payment, id);
        return order;
    });
}

Task<std::vector<Order>> Orders::orders(UserId buyer, std::optional<OrderId> before,
                                        std::size_t limit) {
    const auto below = before.value_or(OrderId{std::numeric_limits<std::int64_t>::max()});
    return readers_.read<std::vector<Order>>([buyer, below, limit](Database& database) {
        return list_in_both(
            database, Sought{.from = OrderId{1}}, limit,
            [&](Database& one) { return list_orders(one, buyer, below, limit); }, &Order::id);
    });
}

Task<Outcome<OrderLedger::GivenBack>> Orders::cancel(OrderId id, UserId buyer, Timestamp now) {
    return writer_.write<Outcome<GivenBack>>([id, buyer, now, &news = news_](Database& database) {
        return cancel_order(database, id, buyer, now, news);
    });
}

Task<OrderLedger::HoldsGivenBack> Orders::give_back_holds(HoldsWanted wanted, Deed deed) {
    // Readers search for them: purchases must not wait during the search.
    auto look = [wanted](Database& database) { return find_holds(database, wanted); };
    auto found = co_await readers_.read<FoundHolds>(std::move(look));
    if (found.orders.empty()) co_return HoldsGivenBack{.held = {}, .last = wanted.after};
    auto cancel = [wanted, found = std::move(found), deed = std::move(deed),
                   &news = news_](Database& database) {
        return give_back_found(database, wanted, found, deed, news);
    };
    auto given = co_await writer_.write<HoldsGivenBack>(std::move(cancel));
    co_return given;
}

Task<std::optional<Timestamp>> Orders::next_due(DuePlace after) {
    return readers_.read<std::optional<Timestamp>>(
        [after](Database& database) { return find_next_due(database, after); });
}

Task<OrderLedger::Expired> Orders::expire(Timestamp now, std::size_t limit, DuePlace after) {
    return writer_.write<Expired>([now, limit, after, &news = news_](Database& database) {
        return expire_orders(database, now, limit, after, news);
    });
}

Task<std::vector<TicketRecord>> Orders::tickets(std::vector<Ticket> tickets) {
    return readers_.read<std::vector<TicketRecord>>(
        [find = find_tickets_, tickets = std::move(tickets)](Database& database) {
            return find(database, tickets);
        });
}

Task<OrderLedger::Fenced> Orders::fence(std::vector<Ticket> tickets) {
    return writer_.write<Fenced>([tickets = std::move(tickets), &news = news_](Database& database) {
        return fence_tickets(database, tickets, news);
    });
}

Task<std::vector<HotChange>> Orders::hot_changes(SaleId sale, std::int64_t after,
                                                 std::size_t limit) {
    return readers_.read<std::vector<HotChange>>([sale, after, limit](Database& database) {
        return list_hot_changes(database, sale, after, limit);
    });
}

Task<std::size_t> Orders::prune_hot_changes(Timestamp older_than, std::size_t limit) {
    return writer_.write<std::size_t>([older_than, limit](Database& database) {
        return ledgers::prune_hot_changes(database, older_than, limit);
    });
}

Task<std::string> Orders::name() {
    return readers_.read<std::string>(read_ledger_name);
}

Task<std::vector<OrderLedger::HotCopy>> Orders::hot_copies(Timestamp now) {
    return readers_.read<std::vector<OrderLedger::HotCopy>>(
        [now](Database& database) { return read_hot_copies(database, now); });
}

Task<std::optional<OrderLedger::HotCopy>> Orders::hot_copy(SaleId sale) {
    return readers_.read<std::optional<OrderLedger::HotCopy>>(
        [sale](Database& database) { return read_hot_copy(database, sale); });
}

Task<std::optional<OrderLedger::HotCopy>> Orders::begin_epoch(SaleId sale, std::int64_t above,
                                                              Timestamp now) {
    return writer_.write<std::optional<OrderLedger::HotCopy>>(
        [sale, above, now, &news = news_](Database& database) {
            return ledgers::begin_epoch(database, sale, above, now, news);
        });
}

OrderLedger::Past read_past(Database& database, const Ticket& ticket) {
    return {.same_wish = list_wish(database, ticket),
            .latest = find_latest_ticket(database, ticket.id.sale, ticket.buyer)};
}

std::optional<Order> find_order(Database& database, OrderId id, std::optional<UserId> buyer) {
    return database.row<OrderRow>(sql::find_order, id, buyer).transform(to_order);
}

UnpaidHolds find_unpaid_holds(Database& database, SaleId sale, UserId buyer) {
    return database.value<UnpaidHolds>(sql::find_unpaid_holds, sale, buyer);
}

std::vector<Order> list_orders(Database& database, UserId buyer, OrderId below, std::size_t limit) {
    return database.rows<OrderRow>(sql::list_orders, buyer, below, limit).to_vector(to_order);
}

Outcome<OrderLedger::GivenBack> cancel_order(Database& database, OrderId id, UserId buyer,
                                             Timestamp now, News& news) {
    auto order = find_in_both(database, Sought{.from = id},
                              [&](Database& one) { return find_order(one, id, buyer); });
    if (!order) return refuse(Reason::not_found);
    const auto step = judge_cancel(*order, now);
    if (!step) return std::unexpected(step.error());
    if (*step == Step::stands)
        return OrderLedger::GivenBack{.order = std::move(*order), .fresh = false};
    return give_back(database, std::move(*order), OrderState::cancelled, now, news);
}

OrderLedger::Fenced fence_tickets(Database& database, const std::vector<Ticket>& tickets,
                                  News& news) {
    OrderLedger::Fenced fenced;
    fenced.records.reserve(tickets.size());
    for (const auto& ticket : tickets) {
        FencedTicket each;
        if (run_part(database, [&] { each = fence_ticket(database, ticket); })) {
            fenced.stuck.push_back(ticket.id);
            continue;
        }
        if (each.added && news.wants(ticket.buyer)) news.note(BuyerNews{ticket.buyer, each.record});
        fenced.records.push_back(std::move(each.record));
    }
    return fenced;
}

std::string read_ledger_name(Database& database) {
    return to_hex(database.value<Mark>(sql::find_ledger_name));
}

std::vector<OrderLedger::HotCopy> read_hot_copies(Database& database, Timestamp now) {
    std::vector<OrderLedger::HotCopy> copies;
    const auto ledger = read_ledger_name(database);
    for (const auto& sale : database.rows<LiveSaleRow>(sql::list_live_sales, now))
        copies.push_back({.filling = {sale.id, sale.epoch, ledger},
                          .left = sale.left,
                          .seq = sale.hot_seq,
                          .holdings = load_holdings(database, sale.id)});
    return copies;
}

std::optional<OrderLedger::HotCopy> read_hot_copy(Database& database, SaleId id) {
    const auto sale = find_sale(database, id);
    if (!sale) return std::nullopt;
    return OrderLedger::HotCopy{.filling = {id, sale->epoch, read_ledger_name(database)},
                                .left = sale->stock.left,
                                .seq = sale->hot_seq,
                                .holdings = load_holdings(database, id)};
}

std::optional<OrderLedger::HotCopy> begin_epoch(Database& database, SaleId id, std::int64_t above,
                                                Timestamp now, News& news) {
    const auto sale = find_sale(database, id);
    if (!sale) return std::nullopt;
    database.run(sql::begin_epoch, id,
                 next_epoch(sale->epoch, above, now, read_ledger_name(database)));
    auto copy = read_hot_copy(database, id);
    // The new epoch is shown before its copy is there: until then no claim is made in either epoch.
    news.note(find_sale(database, id).value());
    return copy;
}

}  // namespace sluice::ledgers
