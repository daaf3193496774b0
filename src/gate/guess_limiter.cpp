#include "gate/guess_limiter.hpp"

#include <sodium.h>

namespace sluice::gate {

Headroom GuessLimiter::look(UserId buyer, Instant now) const {
    if (!scope_.enabled()) return {};
    const auto quota = Quota::of(kMistakes);
    return {"answer", quota, limiter_.look(key_of(buyer), quota, now)};
}

void GuessLimiter::note_wrong(UserId buyer, Instant now) {
    limiter_.count(key_of(buyer), Quota::of(kMistakes), now);
}

std::uint64_t GuessLimiter::key_of(UserId buyer) const {
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key),
                     reinterpret_cast<const unsigned char*>(&buyer.value), sizeof buyer.value,
                     hash_key_.data());
    return key;
}

}  // namespace sluice::gate
