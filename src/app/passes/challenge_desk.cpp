#include "app/passes/challenge_desk.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

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

/// Accepts what a person may type, with spaces around it.
std::optional<int> read_number(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = text.find_first_not_of(blank);
    if (begin == text.npos) return std::nullopt;
    text = text.substr(begin, text.find_last_not_of(blank) - begin + 1);
    int given = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), given);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return given;
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

Task<ChallengeDesk::Formula> ChallengeDesk::make_formula() {
    const auto formula = pick_formula(draw_number(random_));
    auto png = co_await draw(formula.text(), draw_number(random_));
    // The time to answer begins when the picture is ready, not while it waits to be drawn.
    GivenFormula given{
        .mark = {}, .answer = formula.value(), .expires_at = clock_.now() + kFormulaLifetime};
    random_.fill(given.mark);
    co_return Formula{given, std::move(png)};
}

ChallengeDesk::FormulaOffer ChallengeDesk::offer_of(Formula formula) {
    return {to_base64url(formula.given.mark), formula.given.expires_at, std::move(formula.png)};
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

std::optional<ShownChallenge> ChallengeDesk::read(Challenge kind, const Entrant& entrant,
                                                  std::string_view id,
                                                  std::string_view answer) const {
    if (kind == Challenge::math) {
        ShownFormula shown;
        if (!from_base64url(id, shown.mark)) return std::nullopt;
        shown.number = read_number(answer);
        return shown;
    }
    const auto challenge = work_challenges_.open(id, entrant.buyer, entrant.sale);
    if (!challenge || challenge->expires_at <= clock_.now()) return std::nullopt;
    return ShownWork{.mark = challenge->mark,
                     .expires_at = challenge->expires_at,
                     .is_right = proves_work(id, answer, challenge->bits)};
}

}  // namespace sluice
