#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/address.hpp"
#include "base/mutex.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// How many messages strangers may cause: to one phone one a minute and a few a day, since each
/// rings at somebody's bed; from one network and altogether so many a day, since each costs money.
/// It knows nothing of which phones have accounts. Safe from any thread.
class CodeLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kPause{.per_minute = 1, .burst = 1};  // to one phone
    static constexpr std::uint32_t kOfPhone = 8;                // in a day, here and below
    static constexpr std::uint32_t kOfHousehold = 100;
    static constexpr std::uint32_t kOfSite = 400;
    static constexpr std::size_t kMostCounted = 1'000'000;  // past that nobody gets one that day

    CodeLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                std::uint32_t per_day)
        : scope_(scope), hash_key_(hash_key), per_day_(per_day) {}

    /// Without a wait it is counted. `phone` in its canonical form.
    Headroom count(std::string_view phone, const Address& client, Instant now);

  private:
    enum class Kind : unsigned char { all, phone, household, site };
    struct Bound {
        std::uint64_t key;
        std::uint32_t most;
    };

    std::uint64_t key_of(Kind kind, std::string_view who) const;
    Headroom count_day(std::span<const Bound> bounds, Instant now) EXCLUDES(mutex_);

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    const std::uint32_t per_day_;
    RateLimiter pauses_{1 << 12};
    Mutex mutex_;
    std::unordered_map<std::uint64_t, std::uint32_t> counts_ GUARDED_BY(mutex_);
    Instant day_began_ GUARDED_BY(mutex_){};
};

}  // namespace sluice::gate
