#include "gate/guess_limiter.hpp"

#include <algorithm>
#include <cstring>

#include <sodium.h>

namespace sluice::gate {
namespace {

constexpr Quota kOnceAnHour{.interval = 3'600'000'000, .burst = 1};

}  // namespace

Headroom GuessLimiter::look(const Guesser& guesser, Instant now) const {
    if (!scope_.enabled()) return {};
    const auto quota = Quota::of(kMistakes);
    const Headroom account{"answer", quota, by_account_.look(key_of(guesser.buyer), quota, now)};
    if (scope_.exempts(guesser.client)) return account;
    // An account with hardly any wrong answers is not guessing, whatever its neighbours do.
    if (account.count.left + kForgiven > kMistakes.burst) return account;
    const auto from = [&](const Rate& rate, const Network& network) {
        const auto wide = Quota::of(rate);
        const auto key = key_of(network, guesser.sale);
        return Headroom{"answer_address", wide, by_network_.look(key, wide, now)};
    };
    return std::ranges::max({account, from(kMistakesFromAddress, household_of(guesser.client)),
                             from(kMistakesFromSite, site_of(guesser.client))},
                            {}, [](const Headroom& each) { return each.count.wait; });
}

Headroom GuessLimiter::look_picture(UserId buyer, Instant now) const {
    if (!scope_.enabled()) return {};
    const auto quota = Quota::of(kPictures);
    return {"picture", quota, pictures_.look(key_of(buyer), quota, now)};
}

Headroom GuessLimiter::count_picture(UserId buyer, Instant now) {
    if (!scope_.enabled()) return {};
    const auto quota = Quota::of(kPictures);
    return {"picture", quota, pictures_.count(key_of(buyer), quota, now)};
}

void GuessLimiter::give_picture_back(UserId buyer) {
    pictures_.give_back(key_of(buyer), Quota::of(kPictures));
}

void GuessLimiter::note_wrong(const Guesser& guesser, Instant now) {
    by_account_.count(key_of(guesser.buyer), Quota::of(kMistakes), now);
    const auto household = household_of(guesser.client);
    const auto counted =
        by_network_.count(key_of(household, guesser.sale), Quota::of(kMistakesFromAddress), now);
    // An IPv4 address is household and site. What one household does beyond its limit must not
    // count against its neighbours.
    const auto site = site_of(guesser.client);
    if (site.prefix != household.prefix && counted.wait.count() == 0)
        by_network_.count(key_of(site, guesser.sale), Quota::of(kMistakesFromSite), now);
}

void GuessLimiter::note_right(const Guesser& guesser, Instant now) {
    give_picture_back(guesser.buyer);
    // Once for each account and sale: a script that reads pictures well has few accounts.
    const auto solver = key_of(guesser.buyer, guesser.sale);
    if (solvers_.count(solver, kOnceAnHour, now).wait.count() > 0) return;
    const auto household = household_of(guesser.client);
    by_network_.give_back(key_of(household, guesser.sale), Quota::of(kMistakesFromAddress));
    const auto site = site_of(guesser.client);
    if (site.prefix != household.prefix)
        by_network_.give_back(key_of(site, guesser.sale), Quota::of(kMistakesFromSite));
}

std::uint64_t GuessLimiter::key_of(UserId buyer) const {
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key),
                     reinterpret_cast<const unsigned char*>(&buyer.value), sizeof buyer.value,
                     hash_key_.data());
    return key;
}

std::uint64_t GuessLimiter::key_of(UserId buyer, SaleId sale) const {
    const std::array<std::int64_t, 2> who{buyer.value, sale.value};
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key),
                     reinterpret_cast<const unsigned char*>(who.data()), sizeof who,
                     hash_key_.data());
    return key;
}

/// Every field has a fixed width, so no two keys have the same text.
std::uint64_t GuessLimiter::key_of(const Network& network, SaleId sale) const {
    std::array<unsigned char, sizeof network.base.bytes + 1 + sizeof sale.value> text{};
    auto* end = std::ranges::copy(network.base.bytes, text.begin()).out;
    *end++ = static_cast<unsigned char>(network.prefix);
    std::memcpy(end, &sale.value, sizeof sale.value);
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(), text.size(),
                     hash_key_.data());
    return key;
}

}  // namespace sluice::gate
