#pragma once

#include <array>

#include "base/address.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// Limits how many accounts strangers make from one network in a day: an IPv4 address or an IPv6
/// /64 gets the limit, an IPv6 /48 four times as much. Half of it may be used at once, the rest in
/// the course of the day, so that no day has more than the limit. Requests from this machine are
/// not limited: they come from a script of the operator, or from a proxy that hides all clients.
/// Safe from any thread.
class NewAccountLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr unsigned kLeastPerDay = 50;
    /// Where a code proves each phone, the phone is what an account costs, and an office registers
    /// in one morning.
    static constexpr unsigned kTimesWithProvenPhones = 4;
    static constexpr unsigned per_day(unsigned configured, bool phones_are_proven) {
        return configured * (phones_are_proven ? kTimesWithProvenPhones : 1);
    }

    NewAccountLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                      unsigned per_day, CountExchange* shared = nullptr);

    /// Called before the password is hashed: with a wait, the account would not be made.
    Headroom look(const Address& client, Instant now) const;

    /// The account is about to be made, unless there is a wait.
    Headroom count(const Address& client, Instant now);

  private:
    bool is_limited(const Address& client) const;
    std::uint64_t key_of(const Network& network) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    const Quota household_;
    const Quota site_;
    RateLimiter limiter_;
};

}  // namespace sluice::gate
