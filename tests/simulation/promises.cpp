#include "simulation/promises.hpp"

#include "adapters/sqlite/catalog.hpp"
#include "adapters/sqlite/journal.hpp"
#include "adapters/sqlite/orders.hpp"
#include "adapters/sqlite/ways_back.hpp"

namespace sluice::simulation {
namespace {

std::string text(const SentWish& wish) {
    return "buyer " + wish.buyer.text() + " in sale " + wish.sale.text() + " by " +
           (wish.key.empty() ? "pass " + wish.pass.substr(0, 16) : "key " + wish.key);
}

std::vector<TicketId> list_tickets(sqlite::Database& database, SaleId sale, UserId buyer) {
    std::vector<TicketId> ids;
    auto rows = database.query("SELECT mark FROM journal WHERE buyer_id = ?1 AND sale_id = ?2",
                               buyer, sale);
    while (rows.step()) ids.push_back({sale, rows.column<Mark>(0)});
    return ids;
}

bool is_open_at(const Sale& sale, Timestamp at) {
    return at >= sale.starts_at && (!sale.ends_at || at < *sale.ends_at) && !sale.ended_at &&
           !sale.paused && !(at < sale.resumed_at);
}

}  // namespace

Promises::Name Promises::name_of(const SentWish& wish, bool by_key) {
    return {wish.buyer, wish.sale, by_key, by_key ? wish.key : wish.pass};
}

bool Promises::was_promised(const SentWish& wish) const {
    const bool by_key = !wish.key.empty() && tickets_.contains(name_of(wish, true));
    return by_key || tickets_.contains(name_of(wish, false));
}

void Promises::break_with(std::string what) {
    if (!broken_) broken_ = std::move(what);
}

void Promises::note_yes(const SentWish& wish, const TicketRecord& record, bool by_key) {
    const auto told = tickets_.try_emplace(name_of(wish, by_key), record.id).first->second;
    if (told != record.id)
        break_with(text(wish) + " was told of ticket " + told.text() + " and then of " +
                   record.id.text());
    const auto stored = store_.read([&](sqlite::Database& database) {
        return sqlite::find_ticket(database, record.id, wish.buyer);
    });
    if (!stored || stored->state != TicketState::committed || stored->order != record.order)
        return break_with(text(wish) + " was told yes, but ticket " + record.id.text() +
                          " is not committed with that order");
    if (yeses_.emplace(record.id, *record.order).second)
        orders_.emplace_back(*record.order, wish.buyer);
}

void Promises::note_no(const SentWish& wish, Reason reason, bool promised) {
    if (!promised || reason == Reason::unavailable || reason == Reason::busy) return;
    if (reason == Reason::idempotency_mismatch && !wish.key.empty()) return;
    break_with(text(wish) + " had been told yes, and was refused when asking again, reason " +
               std::to_string(static_cast<int>(reason)));
}

void Promises::note_no_at_rest(const SentWish& wish, Reason reason) {
    if (reason == Reason::unavailable || reason == Reason::busy)
        break_with(text(wish) + " is told to come again, though nothing is amiss");
}

void Promises::note_places(SaleId sale, std::size_t out, std::int64_t most) {
    if (static_cast<std::int64_t>(out) > most)
        break_with("sale " + sale.text() + " has " + std::to_string(out) + " passes out, of " +
                   std::to_string(most));
}

void Promises::check(const Process& process) {
    if (store_.commits() != checked_commits_) {
        checked_commits_ = store_.commits();
        const auto shelf = read_store();
        check_stock(shelf);
        check_holdings(shelf);
        check_journal(shelf);
        check_new_tickets(shelf);
        check_yeses(shelf);
        check_money(shelf);
        check_window(process);
    }
}

Promises::Shelf Promises::read_store() {
    return store_.read([](sqlite::Database& database) {
        Shelf shelf;
        for (auto& sale : sqlite::load_contents(database).sales) shelf.sales[sale.id] = sale;
        std::set<std::pair<UserId, SaleId>> buyers;
        {
            auto rows = database.query("SELECT sale_id, buyer_id, units FROM holdings");
            while (rows.step()) {
                const auto sale = rows.column<SaleId>(0);
                const auto buyer = rows.column<UserId>(1);
                shelf.holdings[{sale, buyer}] = rows.column<std::int64_t>(2);
                buyers.insert({buyer, sale});
            }
        }
        {
            auto rows = database.query(
                "SELECT order_id, provider_ref, captures, charge_id IS NOT NULL FROM charges "
                "LEFT JOIN refunds ON charge_id = id");
            while (rows.step())
                shelf.money.push_back({rows.column<OrderId>(0), rows.column<std::string>(1),
                                       rows.column<bool>(2), rows.column<bool>(3)});
        }
        std::set<UserId> seen;
        for (const auto& [buyer, sale] : buyers) {
            for (const auto& id : list_tickets(database, sale, buyer))
                shelf.journal.push_back({sqlite::find_ticket(database, id, buyer).value(), buyer});
            if (!seen.insert(buyer).second) continue;
            const OrderId last{std::numeric_limits<std::int64_t>::max()};
            for (auto& order : sqlite::list_orders(database, buyer, last, 1'000))
                shelf.orders.emplace(order.id, std::move(order));
        }
        return shelf;
    });
}

void Promises::check_stock(const Shelf& shelf) {
    std::map<SaleId, std::int64_t> held, sold;
    for (const auto& [id, order] : shelf.orders) {
        if (order.state == OrderState::pending) held[order.sale_id] += order.quantity;
        if (order.state == OrderState::paid) sold[order.sale_id] += order.quantity;
    }
    for (const auto& [id, sale] : shelf.sales) {
        const auto& stock = sale.stock;
        const bool adds_up = stock.total == stock.left + stock.held + stock.sold;
        if (!adds_up || stock.left < 0 || stock.held < 0 || stock.sold < 0)
            break_with("I1: the stock of sale " + id.text() + " does not add up");
        if (stock.held != held[id])
            break_with("sale " + id.text() + " holds " + std::to_string(stock.held) +
                       " units, its orders " + std::to_string(held[id]));
        if (stock.sold != sold[id])
            break_with("sale " + id.text() + " has sold " + std::to_string(stock.sold) +
                       " units, paid orders say " + std::to_string(sold[id]));
    }
}

void Promises::check_holdings(const Shelf& shelf) {
    std::map<std::pair<SaleId, UserId>, std::int64_t> live;
    for (const auto& [id, order] : shelf.orders)
        if (is_live(order.state)) live[{order.sale_id, order.buyer}] += order.quantity;
    for (const auto& [whose, units] : shelf.holdings) {
        if (units != live[whose])
            break_with("buyer " + whose.second.text() + " holds other units than in live orders");
        if (units > shelf.sales.at(whose.first).limit_per_buyer)
            break_with("I2: buyer " + whose.second.text() + " holds more than the limit");
    }
}

void Promises::check_journal(const Shelf& shelf) {
    std::set<std::tuple<UserId, SaleId, Mark>> passes, keys;
    std::size_t orders = 0;
    for (const auto& [record, buyer] : shelf.journal) {
        if (record.state == TicketState::prepared)
            break_with("ticket " + record.id.text() + " has no outcome");
        if (record.state != TicketState::committed) continue;
        const auto order = shelf.orders.find(record.order.value());
        if (order == shelf.orders.end() || order->second.ticket != record.id)
            break_with("ticket " + record.id.text() + " is committed without its order");
        ++orders;
        if (!passes.emplace(buyer, record.id.sale, record.pass).second)
            break_with("buyer " + buyer.text() + " bought twice with one pass");
        if (record.key && !keys.emplace(buyer, record.id.sale, *record.key).second)
            break_with("buyer " + buyer.text() + " bought twice with one key");
    }
    if (orders != shelf.orders.size()) break_with("there is an order without its ticket");
}

/// The window as the ledger has it at the commit, by the time at which somebody asked.
void Promises::check_new_tickets(const Shelf& shelf) {
    for (const auto& [record, buyer] : shelf.journal) {
        if (record.state != TicketState::committed || !committed_.insert(record.id).second)
            continue;
        const auto& sale = shelf.sales.at(record.id.sale);
        if (!attempts_[{buyer, sale.id}].contains(record.claimed_at))
            break_with("I7: ticket " + record.id.text() +
                       " was claimed at another time than it says");
        if (!is_open_at(sale, record.claimed_at))
            break_with("I7: ticket " + record.id.text() + " was claimed outside the window");
    }
}

void Promises::check_yeses(const Shelf& shelf) {
    std::map<TicketId, OrderId> committed;
    for (const auto& [record, buyer] : shelf.journal)
        if (record.state == TicketState::committed) committed[record.id] = record.order.value();
    for (const auto& [ticket, order] : yeses_) {
        const auto at = committed.find(ticket);
        if (at == committed.end() || at->second != order)
            break_with("ticket " + ticket.text() + " was promised and is not there any more");
    }
}

/// I5, after every commit: money pays one order once, or is owed back.
void Promises::check_money(const Shelf& shelf) {
    std::map<OrderId, int> captures, kept;
    for (const auto& money : shelf.money) {
        if (!money.captures && !money.owed)
            break_with("I5: " + money.charge + " paid nothing and is not owed back");
        if (money.captures) ++captures[money.order];
        if (money.captures && !money.owed) ++kept[money.order];
    }
    for (const auto& [id, order] : shelf.orders) {
        const bool was_paid =
            order.state == OrderState::paid || order.state == OrderState::refunded;
        if (captures[id] != (was_paid ? 1 : 0))
            break_with("I5: order " + id.text() + " is " + std::string(to_string(order.state)) +
                       " with " + std::to_string(captures[id]) + " captures");
        if (kept[id] != (order.state == OrderState::paid ? 1 : 0))
            break_with("I5: order " + id.text() + " is " + std::string(to_string(order.state)) +
                       ", and its money is elsewhere");
    }
    for (const auto& [charge, taken] : bank_.taken())
        if (bank_.times_sent_back(charge) > 1) break_with("I5: " + charge + " was sent back twice");
}

/// At rest the bank has sent back all that it took and that pays no order, and nothing else.
void Promises::check_bank(const Shelf& shelf) {
    std::set<std::string> kept;
    for (const auto& money : shelf.money)
        if (money.captures && !money.owed) kept.insert(money.charge);
    for (const auto& [charge, taken] : bank_.taken())
        if (bank_.times_sent_back(charge) != (kept.contains(charge) ? 0 : 1))
            break_with("I5: " + charge + (kept.contains(charge) ? " pays an order and" : "") +
                       " was sent back " + std::to_string(bank_.times_sent_back(charge)) +
                       " times");
}

std::size_t Promises::captures() const {
    return store_.read([](sqlite::Database& database) {
        auto row = database.query("SELECT count(*) FROM charges WHERE captures = 1");
        row.step();
        return static_cast<std::size_t>(row.column<std::int64_t>(0));
    });
}

std::optional<Timestamp> Promises::next_due() const {
    return store_.read(
        [](sqlite::Database& database) { return sqlite::find_next_due(database, {}); });
}

/// Whoever hears of an effect finds it shown.
void Promises::check_window(const Process& process) {
    const auto contents = store_.read(sqlite::load_contents);
    for (const auto& sale : contents.sales) {
        const auto shown = process.catalog.sale(sale.id);
        if (!shown || shown->stock->now() != sale.stock)
            break_with("the shop window shows another stock of sale " + sale.id.text());
    }
}

void Promises::check_at_rest(Process& process, Timestamp now) {
    check(process);
    const auto shelf = read_store();
    check_bank(shelf);
    for (const auto& [id, order] : shelf.orders)
        if (order.state == OrderState::pending && order.expires_at <= now)
            break_with("order " + id.text() + " is due, and pending still");
    for (const auto& [id, sale] : shelf.sales) {
        auto shown = process.catalog.sale(id)->sale;
        shown.stock = sale.stock;
        if (shown != sale) break_with("the shop window shows an older sale " + id.text());
        check_hot_copy(process, sale, shelf, now);
    }
}

void Promises::check_hot_copy(Process& process, const Sale& sale, const Shelf& shelf,
                              Timestamp now) {
    const auto name = "the hot copy of sale " + sale.id.text();
    std::optional<StockGate::Snapshot> copy;
    auto look = [](Process& at, SaleId id, std::optional<StockGate::Snapshot>& out) -> Task<> {
        out = co_await at.planted_gate.snapshot(id);
    };
    process.schedule.start(look(process, sale.id, copy));
    process.schedule.settle_down();
    // A sale that was over when the process began has none.
    if (!copy && state_at(sale, now) == SaleState::ended) return;
    if (!copy) return break_with(name + " is not there");
    if (copy->open != 0) break_with(name + " has claims that nobody settles");
    if (copy->left != sale.stock.left)
        break_with(name + " has " + std::to_string(copy->left) + " left, the ledger " +
                   std::to_string(sale.stock.left));
    if (gate::SoldOutFlags::is_up(*process.catalog.sale(sale.id)) && copy->left > 0)
        break_with("I6: sale " + sale.id.text() + " is flagged as sold out, and there are " +
                   std::to_string(copy->left) + " left");
    std::map<UserId, std::int64_t> units(copy->holdings.begin(), copy->holdings.end());
    for (const auto& [whose, held] : shelf.holdings)
        if (whose.first == sale.id && units[whose.second] != held)
            break_with(name + " has " + std::to_string(units[whose.second]) + " units of buyer " +
                       whose.second.text() + ", the ledger " + std::to_string(held));
}

}  // namespace sluice::simulation
