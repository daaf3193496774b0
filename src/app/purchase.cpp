#include "app/purchase.hpp"

#include <algorithm>

namespace sluice {
namespace {

using Verdict = StockGate::Verdict;

constexpr int kClaimAttempts = 3;
// Each try but the last met a ticket that another request of the same wish had just used up.
constexpr int kTries = 3;

bool is_on_record(const TicketId& id, const std::vector<TicketRecord>& records) {
    return std::ranges::find(records, id, &TicketRecord::id) != records.end();
}

/// Tries that decided nothing stay in the journal: the next one has a name of its own, the same on
/// every node.
TicketId untried(TicketId id, const std::vector<TicketRecord>& tries, const TicketMarks& marks) {
    while (is_on_record(id, tries)) id = marks.next_try(id);
    return id;
}

Outcome<TicketRecord> as_replay(const TicketRecord& record, const Ticket& ticket) {
    const bool same_key = ticket.key && record.key == ticket.key;
    if (same_key && record.quantity != ticket.quantity) return refuse(Reason::idempotency_mismatch);
    return as_answer(record);
}

Outcome<TicketRecord> limit_reached(const StockGate::Claimed& claimed,
                                    const std::optional<TicketRecord>& latest) {
    if (!latest) return refuse(Reason::limit_reached, claimed.latest);
    // The units of a claim that is rolled back on record are on their way back.
    if (claimed.latest == latest->id && latest->state == TicketState::rolled_back)
        return refuse(Reason::busy);
    return refuse(Reason::limit_reached, claimed.latest.value_or(latest->id));
}

}  // namespace

Outcome<TicketRecord> as_answer(const TicketRecord& record) {
    if (record.state != TicketState::rolled_back) return record;
    return refuse(record.reason.value_or(Reason::sold_out), record.id);
}

Task<Outcome<TicketRecord>> Purchase::carry_out(Attempt attempt) {
    auto& ticket = attempt.ticket;
    if (attempt.maybe_replay) {
        const auto past = co_await ledger_.past(ticket);
        if (const auto* earlier = find_same_wish(past.same_wish, ticket))
            co_return as_replay(*earlier, ticket);
        ticket.id = untried(ticket.id, past.same_wish, marks_);
    }
    if (attempt.refusal) co_return std::unexpected(std::move(*attempt.refusal));
    auto outcome = co_await try_until_decided(std::move(ticket), attempt.limit);
    co_return outcome;
}

Task<Outcome<TicketRecord>> Purchase::try_until_decided(Ticket ticket, std::int64_t limit) {
    for (int tries = 0; tries < kTries; ++tries) {
        // Before the claim, so that "too many wait" is said while nothing is taken.
        auto place = intake_.reserve();
        if (!place) co_return refuse(Reason::busy);
        const auto claimed = co_await claim(ticket, limit);
        const auto verdict = claimed.verdict;
        if (verdict == Verdict::won || verdict == Verdict::again) {
            auto outcome = co_await hand_off(std::move(*place), std::move(ticket));
            co_return outcome;
        }
        if (verdict == Verdict::sold_out) co_return refuse(Reason::sold_out);
        if (verdict != Verdict::already && verdict != Verdict::done)
            co_return refuse(Reason::unavailable);
        // Already, or done: either way the journal knows more.
        const auto past = co_await ledger_.past(ticket);
        if (const auto* earlier = find_same_wish(past.same_wish, ticket))
            co_return as_replay(*earlier, ticket);
        if (verdict == Verdict::already) co_return limit_reached(claimed, past.latest);
        if (!is_on_record(ticket.id, past.same_wish)) break;
        ticket.id = untried(ticket.id, past.same_wish, marks_);
    }
    co_return refuse(Reason::unavailable);
}

Task<StockGate::Claimed> Purchase::claim(const Ticket& ticket, std::int64_t limit) {
    StockGate::Claimed claimed;
    // A time-out is unknown, never failed: the same ticket asks again, and is the same claim.
    for (int attempt = 0; attempt < kClaimAttempts; ++attempt) {
        claimed = co_await gate_.claim(ticket, limit);
        if (claimed.verdict != Verdict::unknown) break;
    }
    // Now, so that the place is for somebody else also while a slow disk holds the commit up.
    if (claimed.verdict == Verdict::won || claimed.verdict == Verdict::again)
        desk_.note_claim(ticket.buyer, ticket.id.sale, claimed.units < limit);
    co_return claimed;
}

Task<Outcome<TicketRecord>> Purchase::hand_off(OrderIntake::Place place, Ticket ticket) {
    const auto taken = co_await intake_.submit(std::move(place), ticket);
    co_await settler_.conclude(ticket, taken);
    // Without a word of the journal the claim stays open: the reaper asks the journal. The same
    // wish, sent again, is the same ticket and takes no second unit.
    if (taken.fate == OrderIntake::Fate::not_taken) co_return refuse(Reason::busy);
    if (taken.fate == OrderIntake::Fate::unknown)
        co_return refuse(Reason::unavailable, Detail::outcome_unknown);
    if (!taken.fresh) co_return as_replay(taken.record, ticket);
    co_return as_answer(taken.record);
}

}  // namespace sluice
