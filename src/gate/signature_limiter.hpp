#pragma once

#include <array>

#include "base/address.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// Limits how many events with a false signature one network may send. Each costs a hash over its
/// body for each secret, and nobody who has a secret sends any. Safe from any thread.
class SignatureLimiter {
  public:
    using Instant = RateLimiter::Instant;

    /// If a provider's secret is replaced too late, its first tries are let through, and it can go
    /// on later.
    static constexpr Rate kMistakes{.per_minute = 6, .burst = 30};

    SignatureLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key)
        : scope_(scope), hash_key_(hash_key) {}

    /// Without a wait the event may be checked.
    Headroom look(const Address& client, Instant now) const;

    /// The signature was false.
    void note_wrong(const Address& client, Instant now);

  private:
    /// By the household, and by the site that it may own.
    std::uint64_t key_of(const Network& network) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    RateLimiter limiter_{1 << 12};
};

}  // namespace sluice::gate
