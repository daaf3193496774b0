#include "app/challenge_desk.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <sodium.h>

#include "base/encoding.hpp"
#include "base/run_on.hpp"
#include "domain/formula.hpp"
#include "picture/formula_picture.hpp"

namespace sluice {
namespace {

std::uint64_t draw_number(Random& random) {
    std::uint64_t number = 0;
    random.fill({reinterpret_cast<unsigned char*>(&number), sizeof number});
    return number;
}

bool names(std::string_view id, const Mark& mark) {
    Mark named;
    return from_base64url(id, named) && sodium_memcmp(named.data(), mark.data(), mark.size()) == 0;
}

/// As a person types it: with spaces around it, perhaps.
bool is_number(std::string_view text, int number) {
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = text.find_first_not_of(blank);
    if (begin == text.npos) return false;
    text = text.substr(begin, text.find_last_not_of(blank) - begin + 1);
    int given = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), given);
    return error == std::errc{} && end == text.data() + text.size() && given == number;
}

}  // namespace

ChallengeDesk::ChallengeDesk(const WorkChallenges::Key& work_key, std::function<double()> load,
                             Random& random, const Clock& clock, Options options)
    : work_challenges_(work_key),
      load_(std::move(load)),
      random_(random),
      clock_(clock),
      options_(options),
      threads_("painter", options.draw_threads, options.draw_backlog) {}

Task<ChallengeDesk::FormulaOffer> ChallengeDesk::offer_formula(Entrant entrant) {
    const auto formula = pick_formula(draw_number(random_));
    auto png = co_await draw(formula.text(), draw_number(random_));
    Given given{.mark = {}, .answer = formula.value(), .placed = false};
    random_.fill(given.mark);
    // The time to answer begins when it can be seen, not while it waits to be drawn.
    const auto now = clock_.now();
    const auto expires_at = now + kFormulaLifetime;
    {
        const MutexLock lock(mutex_);
        check_room(formulas_, entrant, now);
        formulas_.put(entrant, given, expires_at);
    }
    co_return FormulaOffer{to_base64url(given.mark), expires_at, std::move(png)};
}

Task<std::string> ChallengeDesk::draw(std::string text, std::uint64_t seed) {
    return run_on<std::string>(threads_, "too many formulas wait to be drawn",
                               [text = std::move(text), seed] { return draw_formula(text, seed); });
}

Challenge ChallengeDesk::kind_of(std::string_view id) {
    return id.size() == WorkChallenges::kIdLength ? Challenge::pow : Challenge::math;
}

ChallengeDesk::WorkOffer ChallengeDesk::offer_work(const Entrant& entrant,
                                                   std::optional<std::int64_t> bits) {
    const auto extra = std::lround(std::clamp(load_(), 0.0, 1.0) * kMostExtraBits);
    const auto wanted = bits.value_or(options_.work_bits) + extra;
    const auto asked = static_cast<unsigned>(std::min<std::int64_t>(wanted, kMostBits));
    const auto expires_at = clock_.now() + kWorkLifetime;
    WorkChallenges::Nonce nonce;
    random_.fill(nonce);
    auto id = work_challenges_.seal(entrant.buyer, entrant.sale, asked, expires_at, nonce);
    auto prefix = work_prefix(id);
    return {std::move(id), expires_at, std::move(prefix), asked};
}

ChallengeDesk::Verdict ChallengeDesk::redeem(Challenge kind, const Entrant& entrant,
                                             std::string_view id, std::string_view answer,
                                             const std::function<bool()>& take_place) {
    return kind == Challenge::math ? redeem_formula(entrant, id, answer, take_place)
                                   : redeem_work(entrant, id, answer, take_place);
}

ChallengeDesk::Verdict ChallengeDesk::redeem_formula(const Entrant& entrant, std::string_view id,
                                                     std::string_view answer,
                                                     const std::function<bool()>& take_place) {
    const MutexLock lock(mutex_);
    auto* given = formulas_.find(entrant, clock_.now());
    if (!given || !names(id, given->mark)) return Verdict::failed;
    if (!is_number(answer, given->answer)) {
        formulas_.erase(entrant);
        return Verdict::failed;
    }
    if (given->placed) return Verdict::solved_before;
    given->placed = take_place();
    return given->placed ? Verdict::solved : Verdict::no_place;
}

ChallengeDesk::Verdict ChallengeDesk::redeem_work(const Entrant& entrant, std::string_view id,
                                                  std::string_view answer,
                                                  const std::function<bool()>& take_place) {
    const auto challenge = work_challenges_.open(id, entrant.buyer, entrant.sale);
    const auto now = clock_.now();
    if (!challenge || challenge->expires_at <= now) return Verdict::failed;
    const bool right = proves_work(id, answer, challenge->bits);

    const MutexLock lock(mutex_);
    if (const auto* last = works_.find(entrant, now)) {
        const bool same = last->mark == challenge->mark;
        if (same) return right && last->placed ? Verdict::solved_before : Verdict::failed;
        // It was given out before one that has been answered, so it is spent together with that
        // one.
        if (challenge->expires_at <= last->expires_at) return Verdict::failed;
    }
    check_room(works_, entrant, now);
    const bool placed = right && take_place();
    if (right && !placed) return Verdict::no_place;
    works_.put(entrant, {challenge->mark, challenge->expires_at, placed}, challenge->expires_at);
    return placed ? Verdict::solved : Verdict::failed;
}

void ChallengeDesk::sweep() {
    constexpr std::size_t bite = 1'000;
    const auto now = clock_.now();
    for (bool more = true; more;) {
        const MutexLock lock(mutex_);
        more = formulas_.forget_some(now, bite);
        more |= works_.forget_some(now, bite);
    }
}

template <class Value>
void ChallengeDesk::check_room(ExpiringTable<Entrant, Value>& table, const Entrant& entrant,
                               Timestamp now) const {
    const bool known = table.find(entrant, now) != nullptr;
    if (!known && table.size() >= options_.most_entries)
        throw Overload("too many challenges are open");
}

}  // namespace sluice
