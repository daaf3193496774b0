#include "domain/ticket_rules.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace sluice {

bool may_be_same_wish(const TicketRecord& record, const Ticket& ticket) {
    const bool has_same_key = ticket.key && record.key == ticket.key;
    return record.id == ticket.id || record.pass == ticket.pass || has_same_key;
}

WishFinding judge_wish(std::span<const TicketRecord> past, const Ticket& ticket) {
    const auto own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    const bool is_final = own != past.end() && own->state != TicketState::prepared;
    if (is_final && !was_given_up(*own)) return {true, &*own};
    // Other tickets of the same wish. A prepared row has decided nothing. The ticket's own row may
    // name the decision.
    std::vector<TicketRecord> others;
    for (const auto& record : past)
        if (record.state != TicketState::prepared && (record.id != ticket.id || record.same_as))
            others.push_back(record);
    const auto* decision = find_same_wish(others, ticket);
    if (!decision) return {is_final, is_final ? &*own : nullptr};
    return {is_final, &*std::ranges::find(past, decision->id, &TicketRecord::id)};
}

Ticket as_noted(Ticket ticket, const TicketRecord& own) {
    ticket.pass = own.pass;
    ticket.key = own.key;
    ticket.claimed_at = own.claimed_at;
    return ticket;
}

std::optional<Reason> reason_to_roll_back(const TicketRecord& record, const TicketFacts& facts) {
    if (!facts.sale) return Reason::not_found;
    if (const auto closed = closed_because(*facts.sale, record.claimed_at)) return closed;
    if (facts.left < record.quantity) return Reason::sold_out;
    if (facts.held + record.quantity > facts.sale->limit_per_buyer) return Reason::limit_reached;
    return std::nullopt;
}

TicketRecord prepare(const Ticket& ticket) {
    return {.id = ticket.id,
            .state = TicketState::prepared,
            .quantity = ticket.quantity,
            .order = std::nullopt,
            .reason = std::nullopt,
            .same_as = std::nullopt,
            .pass = ticket.pass,
            .key = ticket.key,
            .claimed_at = ticket.claimed_at};
}

void roll_back(TicketRecord& record, Reason reason) {
    record.state = TicketState::rolled_back;
    record.reason = reason;
    record.order.reset();
}

void roll_back_as_same_wish(TicketRecord& record, const TicketId& decision) {
    roll_back(record, Reason::busy);
    record.same_as = decision;
}

void commit(TicketRecord& record, OrderId order) {
    record.state = TicketState::committed;
    record.order = order;
    record.reason.reset();
    record.same_as.reset();
}

TicketRecord fence_of(const Ticket& ticket) {
    auto record = prepare(ticket);
    roll_back(record, Reason::busy);
    return record;
}

TicketRecord refusal_of(const Ticket& ticket) {
    auto record = prepare(ticket);
    roll_back(record, Reason::conflict);
    return record;
}

TicketRecord answer_by(TicketRecord decision, const TicketRecord& own) {
    decision.id = own.id;
    return decision;
}

Order make_order(const TicketRecord& record, UserId buyer, const Sale& sale, Timestamp now) {
    CHECK(record.order.has_value(), "a record that is committed names its order");
    return {.id = *record.order,
            .ticket = record.id,
            .sale_id = sale.id,
            .item_id = sale.item_id,
            .buyer = buyer,
            .quantity = record.quantity,
            .price_cents = sale.price_cents,
            .currency = sale.currency,
            .state = OrderState::pending,
            .created_at = now,
            .expires_at = now + std::chrono::seconds{sale.hold_seconds},
            .paid_at = std::nullopt,
            .payment_failed = false};
}

}  // namespace sluice
