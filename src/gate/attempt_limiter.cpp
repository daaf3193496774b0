#include "gate/attempt_limiter.hpp"

#include <sodium.h>

namespace sluice::gate {

Headroom AttemptLimiter::look(UserId buyer, SaleId sale, Instant now) const {
    return {"attempts", kQuota, limiter_.look(key_of(buyer, sale), kQuota, now)};
}

void AttemptLimiter::note(UserId buyer, SaleId sale, Instant now) {
    limiter_.count(key_of(buyer, sale), kQuota, now);
}

std::uint64_t AttemptLimiter::key_of(UserId buyer, SaleId sale) const {
    const std::array<std::int64_t, 2> who{buyer.value, sale.value};
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key),
                     reinterpret_cast<const unsigned char*>(who.data()), sizeof who,
                     hash_key_.data());
    return key;
}

}  // namespace sluice::gate
