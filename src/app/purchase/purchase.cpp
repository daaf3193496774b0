#include "app/purchase/purchase.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace sluice {
namespace {

using Verdict = StockGate::Verdict;

constexpr int kClaimAttempts = 3;
// Each try but the last found that another request of the same wish had just used its ticket up.
constexpr int kTries = 3;

/// The reason for a claim that was refused, took nothing, and of which the journal knows nothing
/// more.
Reason reason_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::sold_out:
            return Reason::sold_out;
        case Verdict::ended:
            return Reason::ended;
        case Verdict::paused:
            return Reason::paused;
        case Verdict::not_started:
            return Reason::not_started;
        case Verdict::moved:
        case Verdict::closed:
        case Verdict::unknown:
            return Reason::unavailable;
        case Verdict::won:
        case Verdict::again:
        case Verdict::done:
        case Verdict::already:
            break;
    }
    CHECK(false, "these are no refusals");
}

bool is_on_record(const TicketId& id, const std::vector<TicketRecord>& records) {
    return std::ranges::find(records, id, &TicketRecord::id) != records.end();
}

/// Tries that decided nothing stay in the journal. The next try has a ticket of its own, the same
/// on every node.
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
    // The claim is rolled back in the journal, so its units will return soon.
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
    if (attempt.refusal && !co_await is_under_way(attempt))
        co_return std::unexpected(std::move(*attempt.refusal));
    auto outcome = co_await try_until_decided(std::move(ticket), attempt.limit);
    co_return outcome;
}

/// Whether this very wish was claimed before and waits for a writer. The journal does not know it
/// yet, and a refusal would contradict what its buyer was told. It is handed off again instead.
Task<bool> Purchase::is_under_way(const Attempt& attempt) {
    if (!attempt.maybe_replay) co_return false;
    const bool is_open = co_await gate_.is_open(attempt.ticket.id, attempt.ticket.buyer);
    co_return is_open;
}

Task<Outcome<TicketRecord>> Purchase::try_until_decided(Ticket ticket, std::int64_t limit) {
    for (int tries = 0; tries < kTries; ++tries) {
        // Reserved before the claim, so that "too many wait" is answered while nothing is taken.
        auto slot = intake_.reserve();
        if (!slot) co_return refuse(Reason::busy);
        const auto claimed = co_await claim(ticket, limit);
        const auto verdict = claimed.verdict;
        if (verdict == Verdict::won || verdict == Verdict::again) {
            auto outcome = co_await hand_off(std::move(*slot), std::move(ticket));
            co_return outcome;
        }
        if (verdict != Verdict::already && verdict != Verdict::done)
            co_return refuse(reason_of(verdict));
        // Already or done: in both cases the journal knows more.
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
    // A time-out means unknown, never failed. The same ticket asks again, and is the same claim.
    for (int attempt = 0; attempt < kClaimAttempts; ++attempt) {
        claimed = co_await gate_.claim(ticket, limit);
        if (claimed.verdict != Verdict::unknown) break;
    }
    // The place is free from now on, not only after the commit: a slow disk must not block it.
    if (claimed.verdict == Verdict::won || claimed.verdict == Verdict::again)
        desk_.note_claim(ticket.buyer, ticket.id.sale, claimed.units < limit);
    co_return claimed;
}

Task<Outcome<TicketRecord>> Purchase::hand_off(OrderIntake::Slot slot, Ticket ticket) {
    const auto taken = co_await intake_.submit(std::move(slot), ticket);
    co_await settler_.conclude(ticket, taken);
    // If the journal has not decided, the claim stays open, and the reaper asks the journal later.
    // If the same wish is sent again, it has the same ticket and takes no second unit.
    if (taken.fate == OrderIntake::Fate::not_taken) co_return refuse(Reason::busy);
    if (taken.fate == OrderIntake::Fate::unknown)
        co_return refuse(Reason::unavailable, Detail::outcome_unknown);
    if (!taken.fresh) co_return as_replay(taken.record, ticket);
    co_return as_answer(taken.record);
}

}  // namespace sluice
