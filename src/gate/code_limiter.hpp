#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/address.hpp"
#include "base/mutex.hpp"
#include "domain/limit_scope.hpp"
#include "domain/phone_code.hpp"
#include "gate/count_exchange.hpp"
#include "gate/day_limiter.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// Limits how many messages strangers may cause. Each message disturbs somebody, so a phone gets
/// one a minute, ten at once and twenty in a day. Each message costs money, so there are also
/// limits for a network and for all together.
///
/// Strangers must not use up the messages of somebody else's phone. So one network gets four
/// messages to a phone in a day. Whoever asks right after somebody else is told that a message has
/// been sent, which is true. A device that is known for the phone is counted separately.
///
/// Codes for registrations and for new passwords are counted apart for a network: the first are
/// always sent, the others only to phones that are known, so asking for those costs nothing and
/// must not keep neighbours from registering.
///
/// It knows nothing of which phones have accounts: what is asked counts, sent or not. Only the
/// bound for all together counts messages, which note_sent() tells; that one is money, so it is
/// exact by the day. All others come back one after the other. Safe from any thread.
class CodeLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kPause{.per_minute = 1, .burst = 1};  // to one phone
    /// To one phone: the first at once, then one in 70 minutes.
    static constexpr Quota kOfPhone{.interval = 4'200'000'000, .burst = 10};
    static constexpr std::uint32_t kOfNetworkToPhone = 4;  // as DayLimiter has it, here and below
    static constexpr std::uint32_t kOfDevice = 4;
    static constexpr std::uint32_t kOfDevicesOfPhone = 8;
    static constexpr std::uint32_t kOfHousehold = 100;  // for each purpose
    static constexpr std::uint32_t kOfSite = 400;
    static constexpr std::size_t kMostCounted = 1'000'000;  // past that nobody new gets one

    CodeLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                std::uint32_t per_day, CountExchange* shared = nullptr)
        : scope_(scope),
          hash_key_(hash_key),
          per_day_(per_day),
          is_shared_(shared != nullptr),
          pauses_(1 << 14, {.with = shared, .name = 'c'}) {}

    struct Ask {
        std::string_view phone;  // canonical
        CodePurpose purpose = CodePurpose::registration;
        Address client;
        CodeBearer bearer;  // counts only if it is a device
    };
    struct Verdict {
        Headroom headroom;     // with a wait: refused, nothing counted
        bool repeats = false;  // a message was just sent to the phone: no other is needed
    };
    Verdict count(const Ask& ask, Instant now);

    /// A message is sent.
    void note_sent(Instant now);

    /// Tells other nodes what was counted by the day since the last time, and hears what all have
    /// counted. Of such a bound all nodes together let through up to twice in a day, however many
    /// they are. While the shared counts are away, what was counted is kept for the next time.
    Task<> exchange(SharedCounts& shared, Instant now);

  private:
    enum class Kind : unsigned char {
        all,
        phone,
        pause_of_phone,
        pause_of_bearer,
        network_to_phone,
        device,
        devices_of_phone,
        household,
        site
    };
    using Bound = DayLimiter::Bound;
    struct Untold {
        std::uint32_t most = 0;
        std::int32_t times = 0;
    };
    using AllUnreported = std::unordered_map<std::uint64_t, Untold>;

    Verdict count_stranger(const Ask& ask, Instant now);
    Verdict count_device(const Ask& ask, Instant now);
    Headroom look_all(Instant now) EXCLUDES(mutex_);
    Headroom count_day(std::span<const Bound> bounds, Instant now) EXCLUDES(mutex_);
    std::chrono::microseconds begin_day(Instant now) REQUIRES(mutex_);
    void note_unreported(const Bound& bound, std::int32_t times) REQUIRES(mutex_);
    void hear(const Bound& bound, std::chrono::microseconds used, Instant now) REQUIRES(mutex_);
    std::uint64_t key_of(Kind kind, std::string_view who, std::string_view phone) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    const std::uint32_t per_day_;
    const bool is_shared_;
    RateLimiter pauses_;
    Mutex mutex_;
    AllUnreported unreported_ GUARDED_BY(mutex_);
    DayLimiter days_ GUARDED_BY(mutex_){kMostCounted};
    std::uint32_t sent_ GUARDED_BY(mutex_) = 0;
    Instant day_began_ GUARDED_BY(mutex_){};
};

}  // namespace sluice::gate
