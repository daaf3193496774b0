#pragma once

#include <array>

#include "base/address.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// How many accounts strangers make from one network in a day: from an IPv4 address or an IPv6 /64
/// so many, from an IPv6 /48 four times as many. Half of them at once, the rest in the course of
/// the day, so that no day has more. Nobody is a stranger on this machine: what comes from its
/// loopback is a script of the house, or a proxy that hides everybody. Safe from any thread.
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

    /// Before the password is hashed: with a wait, the account would not be made.
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
