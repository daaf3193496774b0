#include "app/purchase.hpp"

#include <algorithm>

#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr int kClaimAttempts = 3;

/// The ticket that this wish made before, if it did.
const TicketRecord* find_replay(const std::vector<TicketRecord>& past, const Ticket& ticket) {
    const TicketRecord* best = nullptr;
    for (const auto& record : past) {
        const int nearness = is_same_wish(record, ticket);
        if (nearness > 0 && (!best || nearness > is_same_wish(*best, ticket))) best = &record;
    }
    return best;
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

Purchase::Purchase(const Catalog& catalog, StockGate& gate, OrderIntake& intake,
                   OrderLedger& ledger, const Passes& passes, const TicketMarks& marks,
                   PassDesk& desk, const Clock& clock)
    : catalog_(catalog),
      gate_(gate),
      intake_(intake),
      ledger_(ledger),
      passes_(passes),
      marks_(marks),
      desk_(desk),
      clock_(clock) {}

Outcome<Purchase::Attempt> Purchase::consider(const Wish& wish, const Caller& buyer) const {
    const auto displayed = catalog_.sale(wish.sale);
    if (!displayed) return refuse(Reason::not_found);
    const Sale& sale = displayed->sale;
    const auto pass = passes_.read(wish.pass, buyer.id, sale.id, buyer.session);
    if (!pass) return refuse(Reason::pass_invalid);

    const auto now = clock_.now();
    const auto glance = gate_.glance(sale.id, buyer.id);
    auto refusal = refusal_for(wish, *pass, sale, glance, now);
    // Replay comes before refusal, but only somebody with a past can repeat anything. Without a
    // hot copy, as for a sale that ended before we started, nobody here knows who has one.
    const bool maybe_replay = glance.history || !glance.warm;
    if (refusal && !maybe_replay) return std::unexpected(std::move(*refusal));

    std::optional<Mark> key;
    if (!wish.key.empty()) key = marks_.of_key(sale.id, buyer.id, wish.key);
    return Attempt{.ticket = {.id = marks_.ticket(sale.id, sale.epoch, buyer.id, wish.quantity,
                                                  pass->mark, key),
                              .buyer = buyer.id,
                              .quantity = wish.quantity,
                              .epoch = sale.epoch,
                              .pass = pass->mark,
                              .key = key,
                              .claimed_at = now},
                   .limit = sale.limit_per_buyer,
                   .maybe_replay = maybe_replay,
                   .refusal = std::move(refusal)};
}

std::optional<Refusal> Purchase::refusal_for(const Wish& wish, const Pass& pass, const Sale& sale,
                                             const StockGate::Glance& glance, Timestamp now) const {
    const auto because = [](Reason reason) { return Refusal{reason, Detail::none, {}, {}}; };
    if (pass.expires_at <= now) return because(Reason::pass_invalid);
    const auto state = state_at(sale, {.total = 1, .left = 1, .held = 0, .sold = 0}, now);
    if (state == SaleState::ended) return because(Reason::ended);
    if (state == SaleState::paused) return because(Reason::paused);
    if (state == SaleState::scheduled) return because(Reason::not_started);
    if (wish.quantity > sale.limit_per_buyer)
        return Refusal{Reason::invalid,
                       Detail::none,
                       {{"quantity", "must be from 1 to " + std::to_string(sale.limit_per_buyer)}},
                       {}};
    if (!glance.warm) return because(Reason::unavailable);
    // The limit comes first: whoever holds units is told of their ticket, not of the stock.
    if (glance.units + wish.quantity > sale.limit_per_buyer) return std::nullopt;
    // With a past it may be an earlier wish that is on its way and took the last unit itself: the
    // claim knows.
    if (glance.left < wish.quantity && !glance.history) return because(Reason::sold_out);
    return std::nullopt;
}

Task<Outcome<TicketRecord>> Purchase::carry_out(Attempt attempt) {
    if (attempt.maybe_replay) {
        const auto past = co_await ledger_.tickets(attempt.ticket.id.sale, attempt.ticket.buyer);
        if (const auto* earlier = find_replay(past, attempt.ticket))
            co_return as_replay(*earlier, attempt.ticket);
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
        // The pass is used: its place is for somebody else, also while a slow disk holds the
        // commit up.
        desk_.vacate(ticket.buyer, ticket.id.sale);
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
    if (const auto* earlier = find_replay(past, ticket)) co_return as_replay(*earlier, ticket);
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
    // Ours is one claim too many: it was refused, not taken, or its pass or key had bought with
    // another ticket. Whoever only found the claim there leaves it to its owner.
    if (claimed_now) co_await gate_.release(tickets);
}

}  // namespace sluice
