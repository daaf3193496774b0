#include "app/passes/issue_pass.hpp"

#include <algorithm>

#include "app/passes/entry.hpp"
#include "base/check.hpp"

namespace sluice {
namespace {

using No = IssuePass::No;
using Issue = IssuePass::Issue;

Refusal refusal_for(Reason reason) {
    const auto detail = reason == Reason::conflict ? Detail::flash_sale_runs : Detail::none;
    return {reason, detail, {}, {}};
}

/// Why the sale has no challenge of the kind that the buyer asks for; nullopt if it has one. A sale
/// without challenges is answered elsewhere.
std::optional<Refusal> why_not_that_kind(const Sale& sale, std::optional<Challenge> wish) {
    if (!wish || sale.challenge == Challenge::none || offers(sale, *wish)) return std::nullopt;
    std::vector<FieldError> errors{{"kind", Complaint(Rule::one_of, offered_kinds(sale))}};
    return Refusal{Reason::invalid, Detail::none, std::move(errors), {}};
}

/// Different for each buyer, so that they do not all come back at once.
No wait_for_network(UserId buyer) {
    return IssuePass::Wait{std::chrono::seconds(10 + buyer.value % 10), Detail::network_full};
}

No not_listed(const Sale& sale) {
    return IssuePass::NotListed{sale.listed_until};
}

/// More places than units, because not everybody who gets a pass buys.
std::int64_t places_for(std::int64_t left, const Sale& sale) {
    return left * sale.gate_factor;
}

/// One of the places of a network for people who hold units. It is given up again if the buyer gets
/// no pass.
class ReservedPlace {
  public:
    ReservedPlace(NetworkHolders& holders, const NetworkHolders::Place& place, const Sale& sale)
        : holders_(holders), place_(place), taken_(holders.take(place, sale)) {}
    ReservedPlace(const ReservedPlace&) = delete;
    ReservedPlace& operator=(const ReservedPlace&) = delete;
    ~ReservedPlace() {
        if (!is_kept_ && taken_ == NetworkHolders::Taken::now) holders_.leave(place_);
    }
    bool is_full() const { return taken_ == NetworkHolders::Taken::full; }
    void keep() { is_kept_ = true; }

  private:
    NetworkHolders& holders_;
    const NetworkHolders::Place place_;
    const NetworkHolders::Taken taken_;
    bool is_kept_ = false;
};

Detail detail_of(EntryDesk::Full::Why why) {
    using Why = EntryDesk::Full::Why;
    switch (why) {
        case Why::taken:
            return Detail::none;
        case Why::lapsed:
            return Detail::pass_lapsed;
        case Why::missed:
            return Detail::place_missed;
    }
    CHECK(false, "every wait at the gate has its detail");
}

/// What the answer of the desk means for whoever asked.
struct Concluding {
    const EntryDesk::Request& request;
    EntryLimits& limits;

    // Only a formula can be guessed; a proof of work cannot.
    bool is_guess() const {
        return request.challenge && std::holds_alternative<ShownFormula>(*request.challenge);
    }
    Issue operator()(EntryDesk::Issued& issued) const {
        if (is_guess()) limits.note_right_answer();
        return std::move(issued);
    }
    Issue operator()(const EntryDesk::Full& full) const {
        return std::unexpected(No(IssuePass::Wait{full.retry_after, detail_of(full.why)}));
    }
    Issue operator()(EntryDesk::Again& again) const {
        if (again.issued) return std::move(*again.issued);
        if (!request.only_again) return std::unexpected(No(IssuePass::ChallengeFailed{}));
        std::vector<FieldError> missing{{"challenge_id", Rule::missing}, {"answer", Rule::missing}};
        return std::unexpected(No(Refusal{Reason::invalid, Detail::none, std::move(missing), {}}));
    }
    Issue operator()(const EntryDesk::Wrong&) const {
        if (is_guess()) limits.note_wrong_answer();
        return std::unexpected(No(IssuePass::ChallengeFailed{}));
    }
};

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
    const auto by_list = look_at_list(sale, buyer);
    if (by_list == ByList::kept_out) return std::unexpected(not_listed(sale));
    if (by_list == ByList::unknown) return std::nullopt;
    if (glance.history || !has_room(sale.id, buyer, limits)) return std::nullopt;
    return offer_work(sale, buyer, wish, limits);
}

Task<IssuePass::Offer> IssuePass::offer(std::shared_ptr<const DisplayedSale> displayed,
                                        UserId buyer, std::optional<Challenge> wish,
                                        EntryLimits& limits) {
    const Sale& sale = displayed->sale;
    auto no = co_await why_not_by_past(sale, buyer);
    if (!no) no = co_await why_not_by_list(sale, buyer);
    if (!no) no = co_await why_not_by_network(sale.id, buyer, limits);
    if (no) co_return std::unexpected(std::move(*no));
    auto at_once = offer_work(sale, buyer, wish, limits);
    if (at_once) co_return std::move(*at_once);
    auto drawn = co_await offer_formula({buyer, sale.id}, limits);
    co_return drawn;
}

/// Counted before it is drawn, so that many requests at once do not get around the limit.
Task<IssuePass::Offer> IssuePass::offer_formula(Entrant entrant, EntryLimits& limits) {
    if (!limits.count_picture()) co_return std::unexpected(No(Limit::pictures));
    try {
        auto formula = co_await challenges_.make_formula();
        co_await desk_.keep(entrant, formula.given);
        co_return ChallengeDesk::offer_of(std::move(formula));
    } catch (...) {
        limits.give_picture_back();
        throw;
    }
}

/// The offer if no picture has to be drawn; nullopt if one has to be.
std::optional<IssuePass::Offer> IssuePass::offer_work(const Sale& sale, UserId buyer,
                                                      std::optional<Challenge> wish,
                                                      const EntryLimits& limits) {
    if (sale.challenge == Challenge::none)
        return std::unexpected(No(Refusal{Reason::conflict, Detail::no_challenge_needed, {}, {}}));
    if (wish.value_or(sale.challenge) == Challenge::pow)
        return challenges_.offer_work({buyer, sale.id}, sale.challenge_bits);
    if (!limits.may_answer()) return std::unexpected(No(Limit::answers));
    if (!limits.may_see_picture()) return std::unexpected(No(Limit::pictures));
    return std::nullopt;
}

std::optional<IssuePass::Issue> IssuePass::issue_at_once(const Sale& sale, const Caller& buyer,
                                                         const Shown& shown, EntryLimits& limits) {
    const auto glance = gate_.glance(sale.id, buyer.id);
    const auto reason = why_not(sale, glance);
    if (reason == Reason::limit_reached) return std::nullopt;
    if (reason) return std::unexpected(No(refusal_for(*reason)));
    if (glance.history && !limits.may_return()) return std::unexpected(No(Limit::returns));
    const auto by_list = look_at_list(sale, buyer.id);
    if (by_list == ByList::kept_out) return std::unexpected(not_listed(sale));
    if (by_list == ByList::unknown) return std::nullopt;
    if (glance.history || !has_room(sale.id, buyer.id, limits)) return std::nullopt;
    ReservedPlace reserved(holders_, {sale.id, limits.client(), buyer.id}, sale);
    if (reserved.is_full()) return std::unexpected(wait_for_network(buyer.id));
    auto request = request_for(sale, buyer.id, glance.left, shown, limits);
    if (!request) return std::unexpected(std::move(request.error()));
    auto answer = desk_.enter_at_once(*request);
    if (!answer) return std::nullopt;
    auto issued = conclude(*request, std::move(*answer), limits);
    if (issued) reserved.keep();
    return issued;
}

Task<IssuePass::Issue> IssuePass::issue(std::shared_ptr<const DisplayedSale> displayed,
                                        Caller buyer, Shown shown, EntryLimits& limits) {
    const Sale& sale = displayed->sale;
    auto no = co_await why_not_by_past(sale, buyer.id);
    if (!no) no = co_await why_not_by_list(sale, buyer.id);
    if (!no) no = co_await why_not_by_network(sale.id, buyer.id, limits);
    if (no) co_return std::unexpected(std::move(*no));
    const auto glance = gate_.glance(sale.id, buyer.id);
    const NetworkHolders::Place place{sale.id, limits.client(), buyer.id};
    ReservedPlace reserved(holders_, place, sale);
    if (reserved.is_full()) co_return std::unexpected(wait_for_network(buyer.id));
    auto request = request_for(sale, buyer.id, glance.left, shown, limits);
    if (!request) co_return std::unexpected(std::move(request.error()));
    auto answer = co_await desk_.enter(*request);
    auto issued = conclude(*request, std::move(answer), limits);
    if (issued) reserved.keep();
    if (issued && glance.history) limits.note_return();
    co_return issued;
}

std::optional<Reason> IssuePass::why_not(const Sale& sale, const StockGate::Glance& glance) const {
    const auto now = clock_.now();
    return entry_refusal(sale, glance, gives_way(catalog_, sale, now), now);
}

/// The same for a buyer with a past: it also asks what they have bought and which holds they left
/// unpaid.
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

IssuePass::ByList IssuePass::look_at_list(const Sale& sale, UserId buyer) const {
    if (!is_for_listed_only(sale, clock_.now())) return ByList::admitted;
    const auto known = listed_.peek(sale, buyer);
    if (!known) return ByList::unknown;
    return *known ? ByList::admitted : ByList::kept_out;
}

/// The same for a buyer whom the sale's list may not name.
Task<std::optional<No>> IssuePass::why_not_by_list(const Sale& sale, UserId buyer) {
    if (!is_for_listed_only(sale, clock_.now())) co_return std::nullopt;
    const bool names_them = co_await listed_.ask(sale, buyer);
    if (names_them) co_return std::nullopt;
    co_return not_listed(sale);
}

/// The same for a buyer whose network may have no more people with unpaid holds.
Task<std::optional<No>> IssuePass::why_not_by_network(SaleId sale, UserId buyer,
                                                      const EntryLimits& limits) {
    if (has_room(sale, buyer, limits)) co_return std::nullopt;
    const NetworkHolders::Place place{sale, limits.client(), buyer};
    const bool has_room = co_await holders_.make_room(place);
    if (has_room) co_return std::nullopt;
    co_return wait_for_network(buyer);
}

bool IssuePass::has_room(SaleId sale, UserId buyer, const EntryLimits& limits) {
    const auto client = limits.client();
    return client.most == 0 || holders_.has_room({sale, client, buyer});
}

/// Open claims come first: they are later than everything in the journal.
Task<std::optional<TicketId>> IssuePass::latest_ticket(SaleId sale, UserId buyer) {
    const auto open = co_await gate_.latest_open(sale, buyer);
    if (open) co_return open;
    const auto latest = co_await ledger_.latest_ticket(sale, buyer);
    if (!latest) co_return std::nullopt;
    co_return latest->id;
}

/// What to ask the desk; or the answer if the desk need not be asked.
std::expected<EntryDesk::Request, No> IssuePass::request_for(const Sale& sale, UserId buyer,
                                                             std::int64_t left, const Shown& shown,
                                                             EntryLimits& limits) {
    EntryDesk::Request request{.entrant = {buyer, sale.id},
                               .most_places = places_for(left, sale),
                               .only_again = false,
                               .challenge = {}};
    if (sale.challenge == Challenge::none) return request;
    // A request without a challenge may come from a buyer who has a place and lost the reply.
    request.only_again = !shown.challenge_id && !shown.answer;
    if (request.only_again) return request;
    std::vector<FieldError> missing;
    if (!shown.challenge_id) missing.push_back({"challenge_id", Rule::missing});
    if (!shown.answer) missing.push_back({"answer", Rule::missing});
    if (!missing.empty())
        return std::unexpected(No(Refusal{Reason::invalid, Detail::none, std::move(missing), {}}));
    const auto kind = ChallengeDesk::kind_of(*shown.challenge_id);
    if (!offers(sale, kind)) return std::unexpected(No(ChallengeFailed{}));
    const bool is_guess = kind == Challenge::math;
    if (is_guess && !limits.may_answer()) return std::unexpected(No(Limit::answers));
    request.challenge = challenges_.read(kind, request.entrant, *shown.challenge_id, *shown.answer);
    if (request.challenge) return request;
    if (is_guess) limits.note_wrong_answer();
    return std::unexpected(No(ChallengeFailed{}));
}

IssuePass::Issue IssuePass::conclude(const EntryDesk::Request& request, EntryDesk::Answer answer,
                                     EntryLimits& limits) {
    return std::visit(Concluding{request, limits}, answer);
}

}  // namespace sluice
