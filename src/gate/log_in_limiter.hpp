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

/// How often somebody may be wrong about a password, or about a second factor. Strangers are
/// counted three times: by account and household, so that whoever guesses at a rival's locks out
/// only those who share their address; by account and IPv6 /48, since one customer may have 65,536
/// households; and by account alone, so that a thousand addresses gain little more than one. The
/// last could keep the owner out; so a device that the account's owner has used before is counted
/// by itself. Whoever once knew the password may have made themselves many such devices: when all
/// of them together have been wrong too often, they count as strangers. It knows nothing of which
/// accounts exist. Safe from any thread.
class LogInLimiter {
  public:
    using Instant = RateLimiter::Instant;

    struct Bounds {
        std::string_view policy;  // as headers name it
        Quota of_one;             // household, or device
        Quota of_site;
        Quota of_strangers;  // all together
        Quota of_devices;    // all that are known for the account together
        bool exempts;        // whether limits.exempt holds
        std::size_t sets;    // of the table
    };
    static constexpr Bounds kPasswords{.policy = "password",
                                       .of_one = {.interval = 30'000'000, .burst = 10},
                                       .of_site = {.interval = 7'500'000, .burst = 40},
                                       .of_strangers = {.interval = 30'000'000, .burst = 50},
                                       .of_devices = {.interval = 15'000'000, .burst = 40},
                                       .exempts = true,
                                       .sets = 1 << 15};
    /// For whoever has the password. Three codes in a million are right, so ten tries and three an
    /// hour find one within a year for one account in thirteen. Counted by account from everywhere,
    /// so no office needs to be exempt. A table of its own, which no flood of log-ins can crowd.
    static constexpr Quota kFactors{.interval = 1'200'000'000, .burst = 10};
    static constexpr Bounds kSecondFactors{
        .policy = "second_factor",
        .of_one = kFactors,
        .of_site = kFactors,
        .of_strangers = kFactors,
        .of_devices = {.interval = kFactors.interval, .burst = 2 * kFactors.burst},
        .exempts = false,
        .sets = 1 << 10};

    /// `shared`: the counts that all nodes share; nullptr if there is only one node.
    LogInLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                 SharedCounts* shared = nullptr, const Bounds& bounds = kPasswords);

    /// What is guessed at. Each has counts of its own: a stranger can type any phone at the log-in,
    /// so nothing that is typed there may be the name of another count.
    enum class Secret : unsigned char {
        log_in,
        own_password,
        second_factor,   // its set-up: the password, and the first code
        log_in_factor,   // its code at the log-in, after the password
        factor_removal,  // its code when it is switched off
    };

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
    Asked ask(Kind kind, const Quota& quota, const Try& attempt) const;
    Task<Headroom> confirm_all(std::vector<Asked> own, std::vector<Asked> of_strangers) const;
    Task<Headroom> confirm_one(Asked asked) const;
    Task<Done> tell(std::vector<SharedCounts::Entry> entries);

    bool is_limited(const Address& client) const;
    std::uint64_t key_of(Kind kind, const Try& attempt) const;
    Headroom count_one(Kind kind, const Quota& quota, const Try& attempt, Instant now);

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    SharedCounts* const shared_;
    const Bounds bounds_;
    RateLimiter limiter_;
};

}  // namespace sluice::gate
