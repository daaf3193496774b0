#include "app/passes/challenge_book.hpp"

#include <sodium.h>

#include "base/outage.hpp"

namespace sluice {
namespace {

bool is_same(const Mark& one, const Mark& other) {
    return sodium_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace

void ChallengeBook::keep(const Entrant& entrant, const GivenFormula& formula, Timestamp now) {
    const MutexLock lock(mutex_);
    check_room(formulas_, entrant, now);
    const Given given{.mark = formula.mark,
                      .answer = formula.answer,
                      .placed = false,
                      .expires_at = formula.expires_at};
    formulas_.put(entrant, given, given.expires_at);
}

ChallengeBook::Verdict ChallengeBook::spend(const Entrant& entrant, const ShownChallenge& shown,
                                            Timestamp now, const TakePlace& take_place) {
    const MutexLock lock(mutex_);
    if (const auto* formula = std::get_if<ShownFormula>(&shown))
        return spend_formula(entrant, *formula, now, take_place);
    return spend_work(entrant, std::get<ShownWork>(shown), now, take_place);
}

ChallengeBook::Verdict ChallengeBook::spend_formula(const Entrant& entrant,
                                                    const ShownFormula& shown, Timestamp now,
                                                    const TakePlace& take_place) {
    auto* given = formulas_.find(entrant, now);
    if (!given || !is_same(shown.mark, given->mark)) return Verdict::failed;
    if (shown.number != given->answer) {
        formulas_.erase(entrant);
        return Verdict::failed;
    }
    if (given->placed) return Verdict::solved_before;
    const auto tried = take_place();
    given->placed = tried.placed;
    if (tried.placed) return Verdict::solved;
    if (tried.awaited_until > given->expires_at) {
        auto kept = *given;
        kept.expires_at = tried.awaited_until;
        formulas_.put(entrant, kept, kept.expires_at);
    }
    return Verdict::no_place;
}

ChallengeBook::Verdict ChallengeBook::spend_work(const Entrant& entrant, const ShownWork& shown,
                                                 Timestamp now, const TakePlace& take_place) {
    if (const auto* last = works_.find(entrant, now)) {
        const bool same = last->mark == shown.mark;
        if (same) return shown.is_right && last->placed ? Verdict::solved_before : Verdict::failed;
        // It was given out before a challenge that has been answered, so it is spent together with
        // that one.
        if (shown.expires_at <= last->expires_at) return Verdict::failed;
    }
    check_room(works_, entrant, now);
    const bool placed = shown.is_right && take_place().placed;
    if (shown.is_right && !placed) return Verdict::no_place;
    works_.put(entrant, {shown.mark, shown.expires_at, placed}, shown.expires_at);
    return placed ? Verdict::solved : Verdict::failed;
}

void ChallengeBook::sweep(Timestamp now) {
    constexpr std::size_t bite = 1'000;
    for (bool more = true; more;) {
        const MutexLock lock(mutex_);
        more = formulas_.forget_some(now, bite);
        more |= works_.forget_some(now, bite);
    }
}

template <class Value>
void ChallengeBook::check_room(ExpiringTable<Entrant, Value>& table, const Entrant& entrant,
                               Timestamp now) const {
    const bool known = table.find(entrant, now) != nullptr;
    if (!known && table.size() >= most_entries_) throw Overload("too many challenges are open");
}

}  // namespace sluice
