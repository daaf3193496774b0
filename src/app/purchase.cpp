#include "app/purchase.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr int kClaimAttempts = 3;

/// The wish's tickets that were given up stay in the journal: the next try has a name of its own,
/// the same on every node.
TicketId untried(TicketId id, const std::vector<TicketRecord>& past, const TicketMarks& marks) {
    while (std::ranges::find(past, id, &TicketRecord::id) != past.end()) id = marks.next_try(id);
    return id;
}

/// A ticket's state as the answer to its buyer.
Outcome<TicketRecord> as_answer(const TicketRecord& record) {
    if (record.state != TicketState::rolled_back) return record;
    return refuse(record.reason.value_or(Reason::sold_out), record.id);
}

Outcome<TicketRecord> as_replay(const TicketRecord& record, const Ticket& ticket) {
    const bool same_key = ticket.key && record.key == ticket.key;
    if (same_key && record.quantity != ticket.quantity) return refuse(Reason::idempotency_mismatch);
    return as_answer(record);
}

}  // namespace

Task<Outcome<TicketRecord>> Purchase::carry_out(Attempt attempt) {
    if (attempt.maybe_replay) {
        const auto past = co_await ledger_.tickets(attempt.ticket.id.sale, attempt.ticket.buyer);
        const auto* earlier = find_same_wish(past, attempt.ticket);
        if (earlier && !was_given_up(*earlier)) co_return as_replay(*earlier, attempt.ticket);
        attempt.ticket.id = untried(attempt.ticket.id, past, marks_);
    }
    if (attempt.refusal) co_return std::unexpected(std::move(*attempt.refusal));
    auto outcome = co_await claim(std::move(attempt.ticket), attempt.limit);
    co_return outcome;
}

Task<Outcome<TicketRecord>> Purchase::claim(Ticket ticket, std::int64_t limit) {
    StockGate::Claimed claimed;
    // A time-out is unknown, never failed: the same ticket asks again, and is the same claim.
    for (int attempt = 0; attempt < kClaimAttempts; ++attempt) {
        claimed = co_await gate_.claim(ticket, limit);
        if (claimed.verdict != StockGate::Verdict::unknown) break;
    }
    const auto verdict = claimed.verdict;
    if (verdict == StockGate::Verdict::won || verdict == StockGate::Verdict::again) {
        // Now, so that the place is for somebody else also while a slow disk holds the commit up.
        desk_.note_claim(ticket.buyer, ticket.id.sale, claimed.units < limit);
        const bool claimed_now = verdict == StockGate::Verdict::won;
        auto outcome = co_await hand_off(std::move(ticket), claimed_now);
        co_return outcome;
    }
    if (verdict == StockGate::Verdict::sold_out) co_return refuse(Reason::sold_out);
    if (verdict == StockGate::Verdict::closed || verdict == StockGate::Verdict::unknown)
        co_return refuse(Reason::unavailable);
    // Already, or done: either way the journal knows more.
    auto outcome = co_await limit_reached(std::move(ticket), claimed.latest);
    co_return outcome;
}

Task<Outcome<TicketRecord>> Purchase::limit_reached(Ticket ticket, std::optional<TicketId> latest) {
    const auto past = co_await ledger_.tickets(ticket.id.sale, ticket.buyer);
    if (const auto* earlier = find_same_wish(past, ticket)) co_return as_replay(*earlier, ticket);
    if (!latest && !past.empty()) latest = past.front().id;
    co_return refuse(Reason::limit_reached, latest);
}

Task<Outcome<TicketRecord>> Purchase::hand_off(Ticket ticket, bool claimed_now) {
    const auto taken = co_await intake_.submit(ticket);
    co_await conclude(ticket, taken, claimed_now);
    if (taken.fate == OrderIntake::Fate::not_taken) co_return refuse(Reason::busy);
    if (taken.fate == OrderIntake::Fate::unknown) co_return refuse(Reason::unavailable);
    if (!taken.fresh) co_return as_replay(taken.record, ticket);
    co_return as_answer(taken.record);
}

/// Brings the hot copy in line with what the ledger has said. Crash windows: none matters, since
/// the copy dies with the process and is rebuilt from the ledger.
Task<> Purchase::conclude(const Ticket& ticket, const OrderIntake::Taken& taken, bool claimed_now) {
    const std::vector<TicketId> tickets{ticket.id};
    if (taken.fate == OrderIntake::Fate::unknown) co_return;  // the reaper asks the journal
    const bool ordered =
        taken.fate == OrderIntake::Fate::ordered || taken.fate == OrderIntake::Fate::queued;
    if (ordered && taken.record.id == ticket.id) {
        // Whoever wrote it: they may never have heard of it, and settle nothing.
        const auto missed = co_await gate_.settle(tickets);
        if (missed.empty() || !taken.fresh) co_return;
        // Another attempt with this ticket gave its claim back before ours was written.
        const std::vector<StockGate::Move> moves{{.sale = ticket.id.sale,
                                                  .delta_left = -ticket.quantity,
                                                  .buyer = ticket.buyer,
                                                  .delta_units = ticket.quantity}};
        co_await gate_.apply(moves);
        co_return;
    }
    if (taken.fate == OrderIntake::Fate::refused && taken.record.id == ticket.id) {
        co_await gate_.release(tickets, StockGate::Ground::rolled_back);
        co_return;
    }
    // Ours is one claim too many: it was not taken, or its pass or key had bought with another
    // ticket. Whoever only found the claim there leaves it to its owner.
    if (claimed_now) co_await gate_.release(tickets, StockGate::Ground::not_handed_off);
}

}  // namespace sluice
