#pragma once

#include <array>

#include "domain/sale.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// Limits how many passes a buyer gets in a sale in which they have claimed before. A pass buys
/// once and a ticket stays in the journal for ever, so this limits how much one buyer can make the
/// journal grow by buying and cancelling. It is checked when a pass is asked for and not at the
/// purchase, because a purchase must first be recognised as a replay. It counts even when other
/// limits are off. Safe from any thread.
class AttemptLimiter {
  public:
    using Instant = RateLimiter::Instant;

    /// As many at once as a buyer can need whose limit is the largest possible, and as many again
    /// each day.
    static constexpr std::uint32_t kAttempts = kMaxLimitPerBuyer;
    static constexpr Quota kQuota{.interval = 86'400'000'000 / kAttempts, .burst = kAttempts};

    explicit AttemptLimiter(const std::array<unsigned char, 16>& hash_key,
                            CountExchange* shared = nullptr)
        : hash_key_(hash_key), limiter_(1 << 14, {.with = shared, .name = 'a'}) {}

    /// Without a wait, the buyer may have another pass.
    Headroom look(UserId buyer, SaleId sale, Instant now) const;

    /// The buyer got a pass.
    void note(UserId buyer, SaleId sale, Instant now);

  private:
    std::uint64_t key_of(UserId buyer, SaleId sale) const;

    const std::array<unsigned char, 16> hash_key_;
    RateLimiter limiter_;
};

}  // namespace sluice::gate
