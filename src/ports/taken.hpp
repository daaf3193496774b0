#pragma once

#include <utility>

#include "domain/ticket_rules.hpp"
#include "ports/order_intake.hpp"

namespace sluice {

/// The outcome of a ticket from the journal's rows: its own, and the answer to its wish.
inline OrderIntake::Taken as_taken(TicketRecord own, TicketRecord answer, bool fresh) {
    using Fate = OrderIntake::Fate;
    auto fate = Fate::refused;
    if (answer.state == TicketState::prepared) fate = Fate::queued;
    if (answer.state == TicketState::committed) fate = Fate::ordered;
    return {.fate = fate,
            .own = std::move(own),
            .record = std::move(answer),
            .fresh = fresh,
            .needs_outbox_row = false};
}

/// For a ticket that is durable and waits for its writer.
inline OrderIntake::Taken as_queued(const Ticket& ticket) {
    return as_taken(prepare(ticket), prepare(ticket), true);
}

/// For a ticket of which the journal has no row.
inline OrderIntake::Taken without_row(const Ticket& ticket, OrderIntake::Fate fate) {
    auto taken = as_taken(prepare(ticket), prepare(ticket), false);
    taken.fate = fate;
    return taken;
}

}  // namespace sluice
