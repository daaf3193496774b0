#include "cluster_simulation/ledger.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "domain/hot_copy_rules.hpp"
#include "domain/order_rules.hpp"
#include "domain/ticket_rules.hpp"
#include "ports/taken.hpp"

namespace sluice::cluster_simulation {
namespace {

using Taken = OrderIntake::Taken;
using Written = TicketLedger::Written;

}  // namespace

Ledger::Ledger(Sale sale, Switch left_out) : left_out_(left_out) {
    state_.name = "ledger 0";
    state_.sale = std::move(sale);
    backup_ = state_;
}

std::vector<Written> Ledger::write(const std::vector<Ticket>& tickets, Timestamp now) {
    std::vector<Written> outcomes;
    for (const auto& ticket : tickets) outcomes.push_back(write(ticket, now));
    return outcomes;
}

Taken Ledger::write(const Ticket& arrived, Timestamp now) {
    const auto noted = state_.journal.find(arrived.id);
    const auto ticket =
        noted == state_.journal.end() ? arrived : as_noted(arrived, noted->second.record);
    const auto past = list_wish(ticket);
    const auto own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    auto [is_final, decision] = judge_wish(past, ticket);
    if (left_out_ == Switch::fence_lets_through && is_final && was_given_up(*own) && !own->same_as)
        is_final = false, decision = nullptr;
    if (is_final) return as_taken(*own, *decision, false);
    auto record = own == past.end() ? sluice::prepare(ticket) : *own;
    if (decision)
        roll_back_as_same_wish(record, decision->id);
    else
        decide(ticket, record, now);
    ++changes_;
    auto& row = state_.journal.try_emplace(ticket.id, Row{ticket, record}).first->second;
    row.record = record;
    state_.holdings.try_emplace(ticket.buyer, 0);
    on_decision_(row);
    auto outcome = as_taken(record, decision ? *decision : record, !decision);
    const auto untold = hot_change_for_order(ticket, record, state_.sale);
    outcome.needs_outbox_row = untold.has_value();
    if (untold) tell_hot_copy(*untold);
    return outcome;
}

void Ledger::decide(const Ticket& ticket, TicketRecord& record, Timestamp now) {
    auto& sale = state_.sale;
    auto& held = state_.holdings[ticket.buyer];
    const TicketFacts facts{.sale = &sale, .left = sale.stock.left, .held = held};
    if (const auto reason = reason_to_roll_back(record, facts)) return roll_back(record, *reason);
    commit(record, OrderId{++orders_made_});
    sale.stock.left -= record.quantity;
    sale.stock.held += record.quantity;
    held += record.quantity;
    state_.orders[*record.order] = make_order(record, ticket.buyer, sale, now);
}

/// All records with the same ticket, pass or key, and the decisions that they name.
std::vector<TicketRecord> Ledger::list_wish(const Ticket& ticket) const {
    std::vector<TicketRecord> records;
    for (const auto& [id, row] : state_.journal) {
        if (row.ticket.buyer != ticket.buyer) continue;
        const bool counts = id == ticket.id || left_out_ != Switch::each_ticket_decides;
        if (counts && may_be_same_wish(row.record, ticket)) records.push_back(row.record);
    }
    for (std::size_t i = 0, own = records.size(); i < own; ++i) {
        const auto named = records[i].same_as;
        if (named && std::ranges::find(records, *named, &TicketRecord::id) == records.end())
            records.push_back(state_.journal.at(*named).record);
    }
    return records;
}

std::vector<Written> Ledger::prepare(const std::vector<Ticket>& tickets) {
    std::vector<Written> outcomes;
    for (const auto& ticket : tickets) outcomes.push_back(prepare(ticket));
    return outcomes;
}

Taken Ledger::prepare(const Ticket& ticket) {
    const auto [at, added] =
        state_.journal.try_emplace(ticket.id, Row{ticket, sluice::prepare(ticket)});
    if (added) ++changes_;
    const auto& own = at->second.record;
    if (!own.same_as) return as_taken(own, own, added);
    return as_taken(own, answer_by(state_.journal.at(*own.same_as).record, own), added);
}

std::vector<Ticket> Ledger::prepared(std::size_t most) const {
    std::vector<Ticket> tickets;
    for (const auto& [id, row] : state_.journal)
        if (row.record.state == TicketState::prepared) tickets.push_back(row.ticket);
    std::ranges::sort(tickets, {}, &Ticket::claimed_at);
    if (tickets.size() > most) tickets.resize(most);
    return tickets;
}

OrderLedger::Past Ledger::past(const Ticket& wish) const {
    OrderLedger::Past past{.same_wish = list_wish(wish), .latest = std::nullopt};
    for (const auto& [id, row] : state_.journal) {
        if (row.ticket.buyer != wish.buyer) continue;
        if (!past.latest || past.latest->claimed_at < row.record.claimed_at)
            past.latest = row.record;
    }
    return past;
}

std::vector<TicketRecord> Ledger::find(const std::vector<Ticket>& tickets) const {
    std::vector<TicketRecord> records;
    for (const auto& ticket : tickets) {
        const auto at = state_.journal.find(ticket.id);
        if (at != state_.journal.end()) records.push_back(at->second.record);
    }
    return records;
}

std::vector<TicketRecord> Ledger::fence(const std::vector<Ticket>& tickets) {
    std::vector<TicketRecord> records;
    for (const auto& ticket : tickets) {
        const auto fence = fence_of(ticket);
        const auto [at, added] = state_.journal.try_emplace(ticket.id, Row{ticket, fence});
        auto& record = at->second.record;
        if (left_out_ == Switch::prepared_is_fenced && record.state == TicketState::prepared)
            record = fence;
        ++changes_;
        records.push_back(record);
    }
    return records;
}

Outcome<OrderLedger::GivenBack> Ledger::cancel(OrderId id, UserId buyer, Timestamp now) {
    const auto at = state_.orders.find(id);
    if (at == state_.orders.end() || at->second.buyer != buyer) return refuse(Reason::not_found);
    auto& order = at->second;
    const auto step = judge_cancel(order, now);
    if (!step) return std::unexpected(step.error());
    if (*step == Step::stands) return OrderLedger::GivenBack{order, false};
    give_back(order, OrderState::cancelled);
    return OrderLedger::GivenBack{order, true};
}

void Ledger::give_back(Order& order, OrderState to) {
    CHECK(may_become(order.state, to), "the caller has looked");
    order.state = to;
    state_.sale.stock.left += order.quantity;
    state_.sale.stock.held -= order.quantity;
    state_.holdings[order.buyer] -= order.quantity;
    tell_hot_copy(hot_change_for_return(order.buyer, order.quantity));
}

std::optional<Timestamp> Ledger::next_due(OrderLedger::DuePlace after) const {
    std::optional<OrderLedger::DuePlace> next;
    for (const auto& [id, order] : state_.orders) {
        const OrderLedger::DuePlace place{order.expires_at, id};
        if (order.state != OrderState::pending || place <= after) continue;
        if (!next || place < *next) next = place;
    }
    return next ? std::optional(next->at) : std::nullopt;
}

OrderLedger::Expired Ledger::expire(Timestamp now, std::size_t limit, OrderLedger::DuePlace after) {
    OrderLedger::Expired expired;
    expired.last = after;
    for (auto& [id, order] : state_.orders) {
        if (order.state != OrderState::pending || is_pending_at(order, now)) continue;
        if (expired.orders == limit) break;
        CHECK(can_expire(order.quantity, state_.sale.stock.held),
              "nobody tampers with this ledger");
        give_back(order, OrderState::expired);
        ++expired.orders;
        expired.sales = {order.sale_id};
        expired.last = std::max(expired.last, {order.expires_at, id});
    }
    return expired;
}

void Ledger::restock(std::int64_t delta, Timestamp now) {
    const auto changed = restock_sale(state_.sale, delta, now);
    if (!changed) return;
    const auto restocked = hot_change_for_restock(state_.sale.stock, changed->stock);
    state_.sale.stock = changed->stock;
    if (restocked) tell_hot_copy(*restocked);
}

void Ledger::tell_hot_copy(HotChange change) {
    ++changes_;
    change.seq = ++state_.sale.hot_seq;
    state_.outbox.push_back(change);
    if (change.delta_left < 0) state_.may_overpromise = true;
}

std::vector<HotChange> Ledger::hot_changes(std::int64_t after, std::size_t limit) const {
    std::vector<HotChange> rows;
    for (const auto& row : state_.outbox)
        if (row.seq > after && rows.size() < limit) rows.push_back(row);
    return rows;
}

OrderLedger::HotCopy Ledger::hot_copy() const {
    return {.filling = {state_.sale.id, state_.sale.epoch, state_.name},
            .left = state_.sale.stock.left,
            .seq = state_.sale.hot_seq,
            .holdings = {state_.holdings.begin(), state_.holdings.end()}};
}

OrderLedger::HotCopy Ledger::begin_epoch(std::int64_t above, Timestamp now) {
    auto& epoch = state_.sale.epoch;
    epoch = left_out_ == Switch::epoch_by_count ? epoch + 1
                                                : next_epoch(epoch, above, now, state_.name);
    state_.may_overpromise = false;
    ++changes_;
    return hot_copy();
}

Ledger::State Ledger::restore() {
    auto forgotten = std::exchange(state_, backup_);
    state_.name = "ledger " + std::to_string(++restores_);
    state_.may_overpromise = true;
    ++changes_;
    return forgotten;
}

}  // namespace sluice::cluster_simulation
