#include "cluster_simulation/judge.hpp"

#include "cluster_simulation/names.hpp"

namespace sluice::cluster_simulation {
namespace {

std::string number(std::int64_t value) {
    return std::to_string(value);
}

bool is_same(const TicketRecord& a, const TicketRecord& b) {
    return a.state == b.state && a.order == b.order && a.reason == b.reason &&
           a.same_as == b.same_as;
}

}  // namespace

Judge::Judge(Ledger& ledger, HotTier& hot) : ledger_(ledger), hot_(hot) {
    ledger_.on_decision([this](const Ledger::Row& row) { check_decision(row); });
}

void Judge::break_promise(std::string what) {
    if (!broken_) broken_ = std::move(what);
}

void Judge::hear(const TicketRecord& record) {
    if (record.state == TicketState::prepared) {
        tickets_.insert(record.id);
        return;
    }
    if (!record.order) return break_promise("a 201 without an order: " + short_name(record.id));
    orders_.insert(*record.order);
    if (!ledger_.state().orders.contains(*record.order) && !lost_orders_.contains(*record.order))
        break_promise("a 201 for order " + record.order->text() + ", which is not on record");
}

void Judge::note_restore(const Ledger::State& before) {
    const auto& now = ledger_.state();
    for (const auto& [id, order] : before.orders)
        if (!now.orders.contains(id)) lost_orders_.insert(id);
    for (const auto& [id, row] : before.journal) {
        const auto at = now.journal.find(id);
        if (at == now.journal.end() || !is_same(at->second.record, row.record))
            lost_tickets_.insert(id);
    }
    finals_.clear();
}

void Judge::note_lost(const std::vector<Ticket>& tickets) {
    for (const auto& ticket : tickets) lost_messages_[ticket.id] = ticket.epoch;
}

/// Within an epoch the hot copy promises no unit twice, unless units are taken from the stock
/// without its knowledge: by a cut, or by tickets of another epoch.
void Judge::check_decision(const Ledger::Row& row) {
    const auto& state = ledger_.state();
    const bool is_refused =
        row.record.reason == Reason::sold_out || row.record.reason == Reason::limit_reached;
    if (!is_refused) return;
    ++refused_;
    if (row.ticket.epoch != state.sale.epoch || state.may_overpromise) return;
    break_promise("ticket " + short_name(row.ticket.id) +
                  " is refused, although the copy of its epoch had units for it");
}

void Judge::check_step() {
    if (seen_ != ledger_.changes()) {
        seen_ = ledger_.changes();
        check_stock();
        check_wishes();
        check_finals();
    }
    for (const auto& view : hot_.masters()) check_equation(view);
}

void Judge::check_stock() {
    const auto& state = ledger_.state();
    const auto& stock = state.sale.stock;
    std::int64_t held = 0;
    std::map<UserId, std::int64_t> units;
    for (const auto& [id, order] : state.orders) {
        if (!is_live(order.state)) continue;
        held += order.quantity;
        units[order.buyer] += order.quantity;
    }
    if (stock.left < 0 || stock.left + held != stock.total)
        break_promise("of " + number(stock.total) + " units " + number(held) + " are ordered and " +
                      number(stock.left) + " are left");
    for (const auto& [buyer, held_units] : state.holdings) {
        if (held_units != units[buyer])
            break_promise("buyer " + buyer.text() + " holds " + number(held_units) +
                          " units and has ordered " + number(units[buyer]));
        if (held_units > state.sale.limit_per_buyer)
            break_promise("buyer " + buyer.text() + " is above the limit");
    }
}

/// One wish never becomes two orders.
void Judge::check_wishes() {
    std::vector<const Ledger::Row*> committed;
    for (const auto& [id, row] : ledger_.state().journal) {
        if (row.record.state != TicketState::committed) continue;
        for (const auto* other : committed) {
            const auto &a = row.ticket, &b = other->ticket;
            const bool same_key = a.key && a.key == b.key;
            if (a.buyer == b.buyer && (a.pass == b.pass || same_key))
                break_promise("one wish has two orders: " + short_name(a.id) + " and " +
                              short_name(b.id));
        }
        committed.push_back(&row);
    }
}

/// Committed and rolled back are final.
void Judge::check_finals() {
    const auto& journal = ledger_.state().journal;
    for (const auto& [id, record] : finals_) {
        const auto at = journal.find(id);
        if (at == journal.end() || !is_same(at->second.record, record))
            break_promise("ticket " + short_name(id) + " was final and has changed");
    }
    for (const auto& [id, row] : journal)
        if (row.record.state != TicketState::prepared) finals_.insert_or_assign(id, row.record);
}

/// While the copy is of the ledger's epoch: what it has left, the outbox rows that it lacks, and
/// the open claims that are not committed are together what the ledger has left. The same for the
/// units of buyers.
void Judge::check_equation(const HotTier::View& view) {
    const auto& state = ledger_.state();
    const auto* const copy = view.keys.look();
    if (!copy || !copy->is_whole() || copy->run != view.run) return;
    if (view.keys.epoch() != state.sale.epoch || copy->ledger != state.name) return;
    auto left = *copy->left;
    auto units = *copy->buyers;
    for (const auto& row : ledger_.hot_changes(*copy->applied, state.outbox.size())) {
        left += row.delta_left;
        if (row.buyer) units[*row.buyer] += row.delta_units;
    }
    for (const auto& [id, claim] : *copy->open) {
        const auto at = state.journal.find(id);
        if (at != state.journal.end() && at->second.record.state == TicketState::committed)
            continue;
        left += claim.ticket.quantity;
        units[claim.ticket.buyer] -= claim.ticket.quantity;
    }
    if (left != state.sale.stock.left)
        break_promise("the hot copy accounts for " + number(left) + " units, the ledger has " +
                      number(state.sale.stock.left) + " left");
    for (const auto& [buyer, held] : units) {
        const auto at = state.holdings.find(buyer);
        const auto in_ledger = at == state.holdings.end() ? 0 : at->second;
        if (held != in_ledger)
            break_promise("the hot copy accounts for " + number(held) + " units of buyer " +
                          buyer.text() + ", the ledger for " + number(in_ledger));
    }
}

void Judge::check_rest() {
    check_step();
    check_promises();
    check_copy();
}

void Judge::check_promises() {
    for (const auto& id : orders_)
        if (!ledger_.state().orders.contains(id) && !lost_orders_.contains(id))
            break_promise("order " + id.text() + " was promised and is gone");
    for (const auto& ticket : tickets_) check_promise(ticket);
}

/// A 202 ends as an order, or as a refusal for which the ledger has a reason.
void Judge::check_promise(const TicketId& ticket) {
    if (lost_tickets_.contains(ticket)) return;
    const auto& journal = ledger_.state().journal;
    auto at = journal.find(ticket);
    if (at != journal.end() && at->second.record.same_as)
        at = journal.find(*at->second.record.same_as);
    if (at == journal.end() || at->second.record.state == TicketState::prepared)
        return check_undecided(ticket);
    if (was_given_up(at->second.record))
        break_promise("ticket " + short_name(ticket) + " was promised and ends as busy");
}

/// Only a ticket whose message the broker has lost may stay undecided. During its epoch the audit
/// finds it: open, handed off, and not in the journal.
void Judge::check_undecided(const TicketId& ticket) {
    const auto lost = lost_messages_.find(ticket);
    if (lost == lost_messages_.end())
        return break_promise("ticket " + short_name(ticket) + " was promised and stays undecided");
    const auto& keys = hot_.masters().front().keys;
    const auto* const copy = keys.look();
    if (!copy || !copy->open || keys.epoch() != lost->second) return;
    const auto at = copy->open->find(ticket);
    if (at == copy->open->end() || at->second.stage != HotKeys::Stage::handed_off)
        break_promise("ticket " + short_name(ticket) + " lost its message, and no audit names it");
}

/// At rest the hot copy equals the ledger.
void Judge::check_copy() {
    const auto& state = ledger_.state();
    const auto masters = hot_.masters();
    const auto* const copy = masters.front().keys.look();
    if (!copy || !copy->is_whole()) return break_promise("at rest there is no whole hot copy");
    if (masters.front().keys.epoch() != state.sale.epoch)
        return break_promise("at rest the hot copy is of another epoch");
    for (const auto& [id, claim] : *copy->open)
        if (!lost_messages_.contains(id))
            return break_promise("at rest the claim of " + short_name(id) + " is open");
    // The audit finds tickets of lost messages: handed off, and not in the journal.
    if (!copy->open->empty()) return;
    if (*copy->left != state.sale.stock.left)
        break_promise("at rest the hot copy has " + number(*copy->left) + " left, the ledger " +
                      number(state.sale.stock.left));
    auto units = *copy->buyers;
    for (const auto& [buyer, held] : state.holdings) {
        if (units[buyer] != held)
            break_promise("at rest buyer " + buyer.text() + " holds " + number(units[buyer]) +
                          " in the hot copy, in the ledger " + number(held));
        units.erase(buyer);
    }
    for (const auto& [buyer, held] : units)
        if (held != 0) break_promise("at rest buyer " + buyer.text() + " holds units only there");
}

}  // namespace sluice::cluster_simulation
