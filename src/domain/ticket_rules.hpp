#pragma once

#include <optional>
#include <span>

#include "domain/order.hpp"
#include "domain/sale.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Whether a record of the same buyer and sale has the same ticket, pass or key. A ledger gives
/// those records to judge_wish(), with the decisions that they name, and no others.
bool may_be_same_wish(const TicketRecord& record, const Ticket& ticket);

/// What the records of a wish say about one of its tickets that is about to be written.
struct WishFinding {
    /// The ticket's own record is final: its outcome stands, and nothing is written.
    bool is_final = false;
    /// The ticket that has decided the wish: this one, another one, or none yet. An order is a
    /// decision, and so is a refusal for a reason that lasts; a fence and a prepared row are none.
    const TicketRecord* decision = nullptr;
};
/// `past`: the records that may belong to the same wish.
WishFinding judge_wish(std::span<const TicketRecord> past, const Ticket& ticket);

/// The ticket with the pass of its own record. The same key may come with another pass, and is the
/// same ticket: the pass that was noted first counts.
Ticket as_noted(Ticket ticket, const TicketRecord& own);

/// The facts of the ledger when a ticket is decided.
struct TicketFacts {
    const Sale* sale = nullptr;  // none: there is no such sale
    std::int64_t left = 0;       // units that are left for it
    std::int64_t held = 0;       // units that its buyer holds
};
/// Why a ticket is rolled back whose wish is not decided yet; nullopt: it becomes an order. The
/// window counts as it was at the claim; a pause or an end counts as it is stored now.
std::optional<Reason> reason_to_roll_back(const TicketRecord& record, const TicketFacts& facts);

/// A ticket as a record that has no outcome yet.
TicketRecord prepare(const Ticket& ticket);

/// This ticket decided nothing: another ticket of the same wish did.
void roll_back_as_same_wish(TicketRecord& record, const TicketId& decision);
void roll_back(TicketRecord& record, Reason reason);
void commit(TicketRecord& record, OrderId order);

/// The record that the reaper writes where the journal has none. It is rolled back and final: the
/// ticket can never become an order, and the buyer is told to send the same request again.
TicketRecord fence_of(const Ticket& ticket);

/// The record of a ticket that an operator refuses because no writer could write it. It decides the
/// wish: the same request would meet the same rows.
TicketRecord refusal_of(const Ticket& ticket);

/// The answer for a ticket whose wish another ticket had decided: that decision, under the id of
/// the buyer's own ticket.
TicketRecord answer_by(TicketRecord decision, const TicketRecord& own);

/// The order of a committed record. Its hold begins when the order exists and can be paid: the
/// buyer does not lose the time that the ledger took.
Order make_order(const TicketRecord& record, UserId buyer, const Sale& sale, Timestamp now);

}  // namespace sluice
