#include "domain/ticket_rules.hpp"

#include <algorithm>
#include <vector>

namespace sluice {

WishStanding judge_wish(std::span<const TicketRecord> past, const Ticket& ticket) {
    const auto own = std::ranges::find(past, ticket.id, &TicketRecord::id);
    const bool is_final = own != past.end() && own->state != TicketState::prepared;
    if (is_final && !was_given_up(*own)) return {true, &*own};
    // The same wish by other tickets. A prepared row of theirs has decided nothing.
    std::vector<TicketRecord> others;
    for (const auto& record : past)
        if (record.id != ticket.id && record.state != TicketState::prepared)
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

}  // namespace sluice
