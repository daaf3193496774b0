#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "base/address.hpp"
#include "config/config.hpp"
#include "gate/rate_limiter.hpp"

namespace sluice::gate {

/// How often somebody may try to log in, counted by account and address together: whoever guesses
/// at a rival's password locks out themselves, and the rival only from their own address. It knows
/// nothing of which accounts exist. Safe from any thread.
class LogInLimiter {
  public:
    using Instant = RateLimiter::Instant;

    /// Five mistakes at once, then one every half minute.
    static constexpr http::Rate kAttempts{.per_minute = 6, .burst = 15};
    static constexpr int kCostOfAMistake = 3;

    LogInLimiter(const Config::Limits& limits, const std::array<unsigned char, 16>& hash_key);

    /// Before the password is looked at. Zero when they may try, which is then counted; else how
    /// long to wait.
    std::chrono::milliseconds wait_for(std::string_view phone, const Address& client, Instant now);

    /// The password was wrong, or there is no such account.
    void note_mistake(std::string_view phone, const Address& client, Instant now);

  private:
    bool is_limited(const Address& client) const;
    std::uint64_t key_of(std::string_view phone, const Address& client) const;

    const Config::Limits& limits_;
    const std::array<unsigned char, 16> hash_key_;
    RateLimiter limiter_{1 << 14};
};

}  // namespace sluice::gate
