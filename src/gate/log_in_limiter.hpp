#pragma once

#include <array>
#include <string_view>

#include "base/address.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// How often somebody may be wrong about a password, counted by account and address together:
/// somebody who guesses at another's password locks out only those who share the guesser's address.
/// It knows nothing of which accounts exist. Safe from any thread.
class LogInLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kMistakes{.per_minute = 2, .burst = 10};

    LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key);

    /// Before the password is looked at. Without a wait they may try, which counts as a mistake
    /// until it turns out to be none, so that many tries at once are no way around.
    Standing count(std::string_view phone, const Address& client, Instant now);

    /// The password was right: whoever knows it may have mistyped it before.
    void forgive(std::string_view phone, const Address& client);

  private:
    bool is_limited(const Address& client) const;
    std::uint64_t key_of(std::string_view phone, const Address& client) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    RateLimiter limiter_{1 << 14};
};

}  // namespace sluice::gate
