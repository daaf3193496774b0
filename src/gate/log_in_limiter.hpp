#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/address.hpp"
#include "domain/device_token.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"
#include "ports/shared_counts.hpp"

namespace sluice::gate {

/// Limits how often somebody may be wrong about a password. Strangers are counted three times: by
/// account and household, so that whoever guesses a rival's password locks out only those who share
/// their address; by account and IPv6 /48, since one customer may have 65,536 households; and by
/// account alone, so that a thousand addresses gain little more than one. The last count could keep
/// the owner out, so a device that the owner has used before is counted by itself. Somebody who
/// once knew the password may have registered many devices: when all of them together have been
/// wrong too often, they count as strangers. The limiter does not know which accounts exist. Safe
/// from any thread.
class LogInLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kMistakes{.per_minute = 2, .burst = 10};
    static constexpr Rate kMistakesOfSite{.per_minute = 8, .burst = 40};
    static constexpr Rate kMistakesOfStrangers{.per_minute = 2, .burst = 50};
    /// For all devices together that are known for the account.
    static constexpr Rate kMistakesOfDevices{.per_minute = 4, .burst = 40};

    /// `shared`: the counts that all nodes share; nullptr if there is only one node.
    LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                 SharedCounts* shared = nullptr);

    /// Which secret is guessed. Each has its own counts: a stranger can type any phone at the
    /// log-in, so nothing that is typed there may be used as the name of another count.
    enum class Secret : unsigned char { log_in, own_password, second_factor };

    struct Try {
        std::string_view whose;  // at the log-in the canonical phone, else the user's id
        Address client;
        Secret secret = Secret::log_in;
        std::optional<DeviceId> device = {};  // known for this phone
    };
    /// Called before the password is checked. Without a wait, the try is allowed. It counts as a
    /// mistake until forgive() is called, so that many tries at once do not get around the limit.
    Headroom count(const Try& attempt, Instant now);

    /// Called after count() has allowed the try: whether the shared counts of all nodes allow it
    /// too. Exact: several nodes at once let no more tries through than one node. While the shared
    /// counts are away, each node decides by its own counts.
    Task<Headroom> confirm(const Try& attempt) const;

    /// The password was right: whoever knows it may have mistyped it before. What strangers did
    /// elsewhere stays counted. So does what other nodes have counted on their own, where it
    /// refuses only those who were wrong too often on that node.
    Task<Done> forgive(const Try& attempt);

  private:
    enum class Kind : unsigned char { household, site, strangers, device, devices };

    /// A count that all nodes share.
    struct Asked {
        Kind kind;
        Quota quota;
        std::uint64_t key;
    };

    Headroom count_stranger(const Try& attempt, Instant now);
    void forgive_here(const Try& attempt);
    Asked ask(Kind kind, const Rate& rate, const Try& attempt) const;
    Task<Headroom> confirm_all(std::vector<Asked> own, std::vector<Asked> of_strangers) const;
    Task<Headroom> confirm_one(Asked asked) const;
    Task<Done> tell(std::vector<SharedCounts::Entry> entries);

    bool is_limited(const Address& client) const;
    std::uint64_t key_of(Kind kind, const Try& attempt) const;
    Headroom count_one(Kind kind, const Rate& rate, const Try& attempt, Instant now);

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    SharedCounts* const shared_;
    RateLimiter limiter_{1 << 15};
};

}  // namespace sluice::gate
