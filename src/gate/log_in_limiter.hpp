#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/address.hpp"
#include "domain/device_token.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// How often somebody may be wrong about a password. Strangers are counted three times: by account
/// and household, so that whoever guesses at a rival's locks out only those who share their
/// address; by account and IPv6 /48, since one customer may have 65,536 households; and by account
/// alone, so that a thousand addresses gain little more than one. The last could keep the owner
/// out; so a device that the account's owner has used before is counted by itself and by nothing
/// else. It knows nothing of which accounts exist. Safe from any thread.
class LogInLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kMistakes{.per_minute = 2, .burst = 10};
    static constexpr Rate kMistakesOfSite{.per_minute = 8, .burst = 40};
    static constexpr Rate kMistakesOfStrangers{.per_minute = 2, .burst = 50};

    LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key);

    struct Try {
        std::string_view phone;  // canonical
        Address client;
        std::optional<DeviceId> device = {};  // known for this phone
    };
    /// Asked before the password is checked. If there is no wait, they may try. The try counts as a
    /// mistake until forgive() is called, so that many tries at once do not get around the limit.
    Headroom count(const Try& attempt, Instant now);

    /// The password was right: whoever knows it may have mistyped it before. What strangers did
    /// elsewhere stays counted.
    void forgive(const Try& attempt);

  private:
    enum class Kind : unsigned char { household, site, strangers, device };

    bool is_limited(const Address& client) const;
    std::uint64_t key_of(Kind kind, const Try& attempt) const;
    Headroom count_one(Kind kind, const Rate& rate, const Try& attempt, Instant now);

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    RateLimiter limiter_{1 << 15};
};

}  // namespace sluice::gate
