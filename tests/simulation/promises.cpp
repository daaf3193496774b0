#include "simulation/promises.hpp"

#include <algorithm>

#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/ways_back.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "simulation/office.hpp"

namespace sluice::simulation {
namespace {

using http::Code;

std::string text(const SentWish& wish) {
    return "buyer " + wish.buyer.text() + " in sale " + wish.sale.text() + " by " +
           (wish.key.empty() ? "pass " + wish.pass.substr(0, 16) : "key " + wish.key);
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

bool Promises::is_tampered(SaleId sale) const {
    return std::ranges::any_of(tampered_,
                               [sale](const auto& whose) { return whose.first == sale; });
}

void Promises::note_yes(const SentWish& wish, const Answer& answer, const TicketMarks& marks) {
    const auto ticket = answer.ticket();
    const auto order = answer.order();
    if (!ticket || !order) return break_with(text(wish) + " was told yes without ticket and order");
    const auto stored = store_.read([&](sqlite::Database& database) {
        return ledgers::find_ticket(database, *ticket, wish.buyer);
    });
    if (!stored || stored->state != TicketState::committed || stored->order != order)
        return break_with(text(wish) + " was told yes, but ticket " + ticket->text() +
                          " is not committed with that order");
    const bool by_key = !wish.key.empty() && is_found_by_key(wish, *ticket, marks);
    if (is_tampered(wish.sale, wish.buyer)) return;
    const auto told = tickets_.try_emplace(name_of(wish, by_key), *ticket).first->second;
    if (told != *ticket)
        break_with(text(wish) + " was told of ticket " + told.text() + " and then of " +
                   ticket->text());
    if (yeses_.emplace(*ticket, *order).second) orders_.emplace_back(*order, wish.buyer);
}

/// Also when a ticket with that key only names the decision.
bool Promises::is_found_by_key(const SentWish& wish, const TicketId& ticket,
                               const TicketMarks& marks) {
    Ticket with_key;
    with_key.id = {wish.sale, Mark{}};
    with_key.buyer = wish.buyer;
    with_key.key = marks.of_key(wish.sale, wish.buyer, wish.key);
    const auto found = store_.read(
        [&](sqlite::Database& database) { return ledgers::list_wish(database, with_key); });
    return std::ranges::find(found, ticket, &TicketRecord::id) != found.end();
}

void Promises::note_no(const SentWish& wish, Code code, bool promised) {
    if (!promised || is_temporary_outage(code)) return;
    if (code == Code::idempotency_mismatch && !wish.key.empty()) return;
    break_with(text(wish) + " had been told yes, and was refused when asking again: " +
               std::string(http::name_of(code)));
}

void Promises::note_no_at_rest(const SentWish& wish, Code code) {
    if (is_temporary_outage(code))
        break_with(text(wish) + " is told to come again, though nothing is amiss");
}

void Promises::note_ticket(const TicketId& ticket, const Answer& answer) {
    const auto* row = shelf_.find(ticket);
    // A ticket whose wish another one has decided answers with that ticket's outcome.
    if (row && row->record.same_as) row = shelf_.find(*row->record.same_as);
    const auto state = answer.text("state");
    if (state == "queued") return;
    const bool ordered = row && row->record.state == TicketState::committed;
    if ((state == "ordered") != ordered)
        break_with("ticket " + ticket.text() + " is shown as " + state +
                   (ordered ? ", and is ordered" : ", and is not ordered"));
    if (ordered && answer.order() != row->record.order)
        break_with("ticket " + ticket.text() + " is shown with another order");
}

void Promises::note_places(SaleId sale, std::size_t out, std::int64_t most) {
    if (static_cast<std::int64_t>(out) > most)
        break_with("sale " + sale.text() + " has " + std::to_string(out) + " passes out, of " +
                   std::to_string(most));
}

void Promises::check(const Process& process) {
    if (store_.commits() != checked_commits_) {
        checked_commits_ = store_.commits();
        auto shelf = Shelf::read(store_);
        check_totals(shelf_, shelf);
        shelf_ = std::move(shelf);
        check_stock(shelf_);
        check_holdings(shelf_);
        check_journal(shelf_);
        check_new_tickets(shelf_);
        check_yeses(shelf_);
        check_money(shelf_);
        check_holds(shelf_);
    }
    // Memory learns of a commit a moment after it, but before anybody else.
    if (!store_.has_unpublished()) check_window(process);
}

void Promises::audit(Timestamp now) {
    // A row that was removed by hand is rightly reported.
    const bool has_tampered = !tampered_.empty();
    const auto report = store_.read(
        [now](sqlite::Database& database) { return sqlite::audit(database, std::nullopt, now); });
    for (const auto& check : report.value().checks)
        if (!check.holds && !(has_tampered && check.name.starts_with("I4")))
            break_with("the audit is red: " + check.name + ": " + check.detail);
}

/// The number of units changes by a restock, or by an edit that asks for it.
void Promises::check_totals(const Shelf& before, const Shelf& after) {
    bool asked_for = false;
    for (const auto& [id, deed] : after.deeds)
        if (!before.deeds.contains(id))
            asked_for |= deed.action == "sale.restock" || changes_stock(deed.request_id);
    if (asked_for) return;
    for (const auto& [id, sale] : after.sales) {
        const auto known = before.sales.find(id);
        if (known != before.sales.end() && known->second.stock.total != sale.stock.total)
            break_with("sale " + id.text() + " had " + std::to_string(known->second.stock.total) +
                       " units in total and has " + std::to_string(sale.stock.total) +
                       ", and nobody asked for it");
    }
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
        if (is_tampered(record.id.sale, buyer)) continue;
        if (!passes.emplace(buyer, record.id.sale, record.pass).second)
            break_with("buyer " + buyer.text() + " bought twice with one pass");
        if (record.key && !keys.emplace(buyer, record.id.sale, *record.key).second)
            break_with("buyer " + buyer.text() + " bought twice with one key");
    }
    if (orders != shelf.orders.size()) break_with("there is an order without its ticket");
}

/// The window that the ledger has at the commit, compared with the time of the request.
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

/// No step of the wall clock cuts a hold shorter than ten elevenths of its length.
void Promises::check_holds(const Shelf& shelf) {
    for (const auto& [id, order] : shelf.orders) {
        // An order that a crash brought back was made earlier than it is seen, so it is not judged.
        if (order.created_at == now_) made_at_.try_emplace(id, true_now_);
        const auto made = made_at_.find(id);
        if (made == made_at_.end() || order.state != OrderState::expired) continue;
        const auto hold = order.expires_at - order.created_at;
        const auto held = true_now_ - made->second;
        if (held + std::chrono::seconds{1} < hold * 10 / 11)
            break_with("order " + id.text() + " was held for " + std::to_string(held.count()) +
                       " of " + std::to_string(hold.count()) + " ms");
        made_at_.erase(made);
    }
}

/// At rest the bank has sent back all money that it took and that paid no order, and no other.
void Promises::check_bank(const Shelf& shelf) {
    std::set<std::string> kept;
    for (const auto& money : shelf.money)
        if (money.captures && !money.owed) kept.insert(money.charge);
    for (const auto& [charge, taken] : bank_.taken()) {
        const bool stays = kept.contains(charge) || bank_.was_taken_elsewhere(charge);
        if (bank_.times_sent_back(charge) != (stays ? 0 : 1))
            break_with("I5: " + charge + (kept.contains(charge) ? " pays an order and" : "") +
                       (bank_.was_taken_elsewhere(charge) ? " was taken elsewhere and" : "") +
                       " was sent back " + std::to_string(bank_.times_sent_back(charge)) +
                       " times");
    }
}

std::size_t Promises::captures() const {
    return store_.read([](sqlite::Database& database) {
        return database.value<std::size_t>("SELECT count(*) FROM charges WHERE captures = 1");
    });
}

std::optional<Timestamp> Promises::next_due() const {
    return store_.read(
        [](sqlite::Database& database) { return ledgers::find_next_due(database, {}); });
}

/// Whoever hears of an effect finds it shown.
void Promises::check_window(const Process& process) {
    for (const auto& [id, sale] : shelf_.sales) {
        const auto shown = process.catalog.sale(id);
        if (!shown || shown->stock->now() != sale.stock)
            break_with("the shop window shows another stock of sale " + id.text());
    }
}

void Promises::check_at_rest(Process& process, Timestamp now) {
    check(process);
    const auto& shelf = shelf_;
    check_bank(shelf);
    for (const auto& [id, order] : shelf.orders)
        if (order.state == OrderState::pending && order.expires_at <= now)
            break_with("order " + id.text() + " is due, and pending still");
    for (const auto& [id, sale] : shelf.sales) {
        const auto displayed = process.catalog.sale(id);
        auto shown = displayed->sale;
        shown.stock = displayed->stock->now();
        shown.hot_seq = displayed->stock->hot_seq();
        shown.news_seq = sale.news_seq;
        if (shown != sale) break_with("the shop window shows an older sale " + id.text());
        if (!is_tampered(id)) check_hot_copy(process, sale, shelf, now);
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
    if (SoldOutFlags::is_up(*process.catalog.sale(sale.id)) && copy->left > 0)
        break_with("I6: sale " + sale.id.text() + " is flagged as sold out, and there are " +
                   std::to_string(copy->left) + " left");
    std::map<UserId, std::int64_t> units(copy->holdings.begin(), copy->holdings.end());
    for (const auto& [whose, held] : shelf.holdings)
        if (whose.first == sale.id && units[whose.second] != held)
            break_with(name + " has " + std::to_string(units[whose.second]) + " units of buyer " +
                       whose.second.text() + ", the ledger " + std::to_string(held));
}

}  // namespace sluice::simulation
