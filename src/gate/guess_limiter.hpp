#pragma once

#include <array>

#include "domain/ids.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// How often a buyer may be wrong about a formula. One guess in sixty is right, so without this
/// limit a program could guess instead of reading the picture. By the account alone: nobody else
/// can be wrong in its name. Safe from any thread.
class GuessLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kMistakes{.per_minute = 2, .burst = 10};

    GuessLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key)
        : scope_(scope), hash_key_(hash_key) {}

    /// If there is no wait, they may answer.
    Headroom look(UserId buyer, Instant now) const;

    /// They answered, and it was wrong.
    void note_wrong(UserId buyer, Instant now);

  private:
    std::uint64_t key_of(UserId buyer) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    RateLimiter limiter_{1 << 14};
};

}  // namespace sluice::gate
