#include "app/issue_pass.hpp"

#include <algorithm>

#include "app/entry.hpp"

namespace sluice {
namespace {

using No = IssuePass::No;
using Verdict = ChallengeDesk::Verdict;

Refusal refusal_for(Reason reason) {
    const auto detail = reason == Reason::conflict ? Detail::flash_sale_runs : Detail::none;
    return {reason, detail, {}, {}};
}

/// Why the sale has no challenge of the kind that the buyer wishes; nullopt if it has. A sale that
/// needs none says so by itself.
std::optional<Refusal> why_not_that_kind(const Sale& sale, std::optional<Challenge> wish) {
    if (!wish || sale.challenge == Challenge::none || offers(sale, *wish)) return std::nullopt;
    std::vector<FieldError> errors{{"kind", Complaint(Rule::one_of, offered_kinds(sale))}};
    return Refusal{Reason::invalid, Detail::none, std::move(errors), {}};
}

/// Not the same for everybody, so that they do not all come back at once.
No wait_for_neighbours(UserId buyer) {
    return IssuePass::Wait{std::chrono::seconds(10 + buyer.value % 10), Detail::network_full};
}

/// More places than units, because not everybody who gets a pass buys.
std::int64_t places_for(std::int64_t left, const Sale& sale) {
    return left * sale.gate_factor;
}

}  // namespace

std::optional<IssuePass::Offer> IssuePass::offer_at_once(const Sale& sale, UserId buyer,
                                                         std::optional<Challenge> wish,
                                                         const EntryLimits& limits) {
    if (auto refusal = why_not_that_kind(sale, wish))
        return std::unexpected(No(std::move(*refusal)));
    const auto glance = gate_.glance(sale.id, buyer);
    const auto reason = why_not(sale, glance);
    if (reason == Reason::limit_reached) return std::nullopt;
    if (reason) return std::unexpected(No(refusal_for(*reason)));
    if (glance.history || !has_room(sale.id, buyer, limits)) return std::nullopt;
    return offer_work(sale, buyer, wish, limits);
}

Task<IssuePass::Offer> IssuePass::offer(std::shared_ptr<const DisplayedSale> displayed,
                                        UserId buyer, std::optional<Challenge> wish,
                                        const EntryLimits& limits) {
    const Sale& sale = displayed->sale;
    auto no = co_await why_not_by_past(sale, buyer);
    if (!no) no = co_await why_not_by_network(sale.id, buyer, limits);
    if (no) co_return std::unexpected(std::move(*no));
    auto at_once = offer_work(sale, buyer, wish, limits);
    if (at_once) co_return std::move(*at_once);
    const Entrant entrant{buyer, sale.id};
    co_return co_await challenges_.offer_formula(entrant);
}

/// What can be offered without a drawing; nullopt if a formula has to be drawn.
std::optional<IssuePass::Offer> IssuePass::offer_work(const Sale& sale, UserId buyer,
                                                      std::optional<Challenge> wish,
                                                      const EntryLimits& limits) {
    if (sale.challenge == Challenge::none)
        return std::unexpected(No(Refusal{Reason::conflict, Detail::no_challenge_needed, {}, {}}));
    if (wish.value_or(sale.challenge) == Challenge::pow)
        return challenges_.offer_work({buyer, sale.id}, sale.challenge_bits);
    if (!limits.may_answer()) return std::unexpected(No(Limit::answers));
    return std::nullopt;
}

std::optional<IssuePass::Issue> IssuePass::issue_at_once(const Sale& sale, const Caller& buyer,
                                                         const Shown& shown, EntryLimits& limits) {
    const auto glance = gate_.glance(sale.id, buyer.id);
    const auto reason = why_not(sale, glance);
    if (reason == Reason::limit_reached) return std::nullopt;
    if (reason) return std::unexpected(No(refusal_for(*reason)));
    if (glance.history && !limits.may_return()) return std::unexpected(No(Limit::returns));
    if (glance.history || !has_room(sale.id, buyer.id, limits)) return std::nullopt;
    return enter(sale, buyer, glance.left, shown, limits);
}

Task<IssuePass::Issue> IssuePass::issue(std::shared_ptr<const DisplayedSale> displayed,
                                        Caller buyer, Shown shown, EntryLimits& limits) {
    const Sale& sale = displayed->sale;
    auto no = co_await why_not_by_past(sale, buyer.id);
    if (!no) no = co_await why_not_by_network(sale.id, buyer.id, limits);
    if (no) co_return std::unexpected(std::move(*no));
    const auto glance = gate_.glance(sale.id, buyer.id);
    auto issued = enter(sale, buyer, glance.left, shown, limits);
    if (issued && glance.history) limits.note_return();
    co_return issued;
}

std::optional<Reason> IssuePass::why_not(const Sale& sale, const StockGate::Glance& glance) const {
    const auto now = clock_.now();
    return reason_to_stay_out(sale, glance, gives_way(catalog_, sale, now), now);
}

/// The same for a buyer with a past: what they have bought, and which holds they left unpaid.
Task<std::optional<No>> IssuePass::why_not_by_past(const Sale& sale, UserId buyer) {
    const auto glance = gate_.glance(sale.id, buyer);
    if (const auto reason = why_not(sale, glance)) {
        auto refusal = refusal_for(*reason);
        if (reason == Reason::limit_reached)
            refusal.ticket = co_await latest_ticket(sale.id, buyer);
        co_return refusal;
    }
    if (!glance.history) co_return std::nullopt;
    const auto unpaid = co_await ledger_.unpaid_holds(sale.id, buyer);
    const auto until = unpaid_wait_until(unpaid, sale);
    const auto now = clock_.now();
    if (!until || *until <= now) co_return std::nullopt;
    co_return Wait{std::chrono::ceil<std::chrono::seconds>(*until - now), Detail::left_unpaid};
}

/// The same for a buyer whose neighbours may hold as much as they may together.
Task<std::optional<No>> IssuePass::why_not_by_network(SaleId sale, UserId buyer,
                                                      const EntryLimits& limits) {
    if (has_room(sale, buyer, limits)) co_return std::nullopt;
    const NetworkHolders::Place place{sale, limits.client(), buyer};
    const bool has_room = co_await holders_.make_room(place);
    if (has_room) co_return std::nullopt;
    co_return wait_for_neighbours(buyer);
}

bool IssuePass::has_room(SaleId sale, UserId buyer, const EntryLimits& limits) {
    const auto client = limits.client();
    return client.most == 0 || holders_.has_room({sale, client, buyer});
}

/// Claims that are open come first: they are later than all that the journal knows.
Task<std::optional<TicketId>> IssuePass::latest_ticket(SaleId sale, UserId buyer) {
    const auto open = co_await gate_.latest_open(sale, buyer);
    if (open) co_return open;
    const auto latest = co_await ledger_.latest_ticket(sale, buyer);
    if (!latest) co_return std::nullopt;
    co_return latest->id;
}

/// Counts the buyer among those of their network who may hold units, if they get a pass.
IssuePass::Issue IssuePass::enter(const Sale& sale, const Caller& buyer, std::int64_t left,
                                  const Shown& shown, EntryLimits& limits) {
    const NetworkHolders::Place place{sale.id, limits.client(), buyer.id};
    const auto taken = holders_.take(place, sale);
    if (taken == NetworkHolders::Taken::full) return std::unexpected(wait_for_neighbours(buyer.id));
    auto issued = admit(sale, buyer, left, shown, limits);
    if (!issued && taken == NetworkHolders::Taken::now) holders_.leave(place);
    return issued;
}

IssuePass::Issue IssuePass::admit(const Sale& sale, const Caller& buyer, std::int64_t left,
                                  const Shown& shown, EntryLimits& limits) {
    const bool shows_nothing = !shown.challenge_id && !shown.answer;
    const bool is_free = sale.challenge == Challenge::none;
    if (is_free) return take_place(sale, buyer, places_for(left, sale));
    // A buyer who has a place may have lost the reply.
    if (shows_nothing)
        if (auto again = desk_.renew(buyer, sale.id, clock_.now())) return std::move(*again);
    std::vector<FieldError> missing;
    if (!shown.challenge_id) missing.push_back({"challenge_id", Rule::missing});
    if (!shown.answer) missing.push_back({"answer", Rule::missing});
    if (!missing.empty())
        return std::unexpected(No(Refusal{Reason::invalid, Detail::none, std::move(missing), {}}));
    return redeem(sale, buyer, places_for(left, sale), shown, limits);
}

IssuePass::Issue IssuePass::redeem(const Sale& sale, const Caller& buyer, std::int64_t most_places,
                                   const Shown& shown, EntryLimits& limits) {
    const auto kind = ChallengeDesk::kind_of(*shown.challenge_id);
    if (!offers(sale, kind)) return std::unexpected(No(ChallengeFailed{}));
    // A formula can be guessed; work cannot.
    const bool is_guessable = kind == Challenge::math;
    if (is_guessable && !limits.may_answer()) return std::unexpected(No(Limit::answers));
    Issue issued;
    const auto verdict =
        challenges_.redeem(kind, {buyer.id, sale.id}, *shown.challenge_id, *shown.answer, [&] {
            issued = take_place(sale, buyer, most_places);
            return issued.has_value();
        });
    if (is_guessable && verdict == Verdict::solved) limits.note_right_answer();
    if (verdict == Verdict::solved || verdict == Verdict::no_place) return issued;
    if (verdict == Verdict::solved_before)
        if (auto again = desk_.renew(buyer, sale.id, clock_.now())) return std::move(*again);
    if (is_guessable && verdict == Verdict::failed) limits.note_wrong_answer();
    return std::unexpected(No(ChallengeFailed{}));
}

IssuePass::Issue IssuePass::take_place(const Sale& sale, const Caller& buyer,
                                       std::int64_t most_places) {
    auto issued = desk_.issue(buyer, sale.id, most_places, clock_.now());
    if (issued) return std::move(*issued);
    const auto& full = issued.error();
    const auto detail = full.has_lapsed ? Detail::pass_lapsed : Detail::none;
    return std::unexpected(No(Wait{full.retry_after, detail}));
}

}  // namespace sluice
