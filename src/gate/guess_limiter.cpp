#include "gate/guess_limiter.hpp"

#include <algorithm>
#include <cstring>

#include <sodium.h>

namespace sluice::gate {

Headroom GuessLimiter::look(const Guesser& guesser, Instant now) const {
    if (!scope_.enabled()) return {};
    const auto quota = Quota::of(kMistakes);
    const Headroom account{"answer", quota, by_account_.look(key_of(guesser.buyer), quota, now)};
    if (scope_.exempts(guesser.client)) return account;
    const auto wide = Quota::of(kMistakesFromAddress);
    const auto key = key_of(guesser.client, guesser.sale);
    const Headroom address{"answer_address", wide, by_address_.look(key, wide, now)};
    return address.count.wait > account.count.wait ? address : account;
}

void GuessLimiter::note_wrong(const Guesser& guesser, Instant now) {
    by_account_.count(key_of(guesser.buyer), Quota::of(kMistakes), now);
    by_address_.count(key_of(guesser.client, guesser.sale), Quota::of(kMistakesFromAddress), now);
}

std::uint64_t GuessLimiter::key_of(UserId buyer) const {
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key),
                     reinterpret_cast<const unsigned char*>(&buyer.value), sizeof buyer.value,
                     hash_key_.data());
    return key;
}

/// Every field has a fixed width, so no two pairs make the same text.
std::uint64_t GuessLimiter::key_of(const Address& client, SaleId sale) const {
    const auto home = household_of(client);
    std::array<unsigned char, sizeof home.base.bytes + 1 + sizeof sale.value> text{};
    auto* end = std::ranges::copy(home.base.bytes, text.begin()).out;
    *end++ = static_cast<unsigned char>(home.prefix);
    std::memcpy(end, &sale.value, sizeof sale.value);
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(), text.size(),
                     hash_key_.data());
    return key;
}

}  // namespace sluice::gate
