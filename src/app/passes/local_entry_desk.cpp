#include "app/passes/local_entry_desk.hpp"

#include "base/check.hpp"

namespace sluice {
namespace {

Caller as_caller(UserId buyer) {
    Caller caller;
    caller.id = buyer;
    return caller;
}

}  // namespace

Task<EntryDesk::Answer> LocalEntryDesk::enter(Request request) {
    co_return *enter_at_once(request);
}

std::optional<EntryDesk::Answer> LocalEntryDesk::enter_at_once(const Request& request) {
    const auto now = clock_.now();
    const auto& [buyer, sale] = request.entrant;
    if (request.only_again) return Again{places_.renew(as_caller(buyer), sale, now)};
    return request.challenge ? redeem(request, now) : take_place(request, now);
}

EntryDesk::Answer LocalEntryDesk::take_place(const Request& request, Timestamp now) {
    const auto& [buyer, sale] = request.entrant;
    auto issued = places_.issue(as_caller(buyer), sale, request.most_places, now);
    if (issued) return std::move(*issued);
    return issued.error();
}

EntryDesk::Answer LocalEntryDesk::redeem(const Request& request, Timestamp now) {
    const auto& [buyer, sale] = request.entrant;
    Answer answer;
    const auto verdict = challenges_.spend(request.entrant, *request.challenge, now, [&] {
        answer = take_place(request, now);
        const auto* full = std::get_if<Full>(&answer);
        if (!full) return ChallengeBook::Tried{.placed = true};
        return ChallengeBook::Tried{.awaited_until = now + awaited_for(full->retry_after)};
    });
    switch (verdict) {
        case ChallengeBook::Verdict::solved:
        case ChallengeBook::Verdict::no_place:
            return answer;
        case ChallengeBook::Verdict::solved_before:
            return Again{places_.renew(as_caller(buyer), sale, now)};
        case ChallengeBook::Verdict::failed:
            return Wrong{};
    }
    CHECK(false, "every verdict has an answer");
}

Task<Done> LocalEntryDesk::keep(Entrant entrant, GivenFormula formula) {
    challenges_.keep(entrant, formula, clock_.now());
    co_return Done{};
}

Task<Done> LocalEntryDesk::sweep(std::function<bool(SaleId)> is_selling) {
    const auto now = clock_.now();
    places_.sweep(now, is_selling);
    challenges_.sweep(now);
    co_return Done{};
}

}  // namespace sluice
