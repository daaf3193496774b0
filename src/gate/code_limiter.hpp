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
/// The limiter does not know which phones have accounts: it counts requests, whether a message is
/// sent or not. Only the limit for all together counts messages, by note_sent(). Safe from any
/// thread.
class CodeLimiter {
  public:
    using Instant = RateLimiter::Instant;

    static constexpr Rate kPause{.per_minute = 1, .burst = 1};  // to one phone
    /// To one phone: the first at once, then one in 70 minutes.
    static constexpr Quota kOfPhone{.interval = 4'200'000'000, .burst = 10};
    static constexpr std::uint32_t kOfNetworkToPhone = 4;  // in a day, as the next ones
    static constexpr std::uint32_t kOfDevice = 4;
    static constexpr std::uint32_t kOfDevicesOfPhone = 8;
    static constexpr std::uint32_t kOfHousehold = 100;
    static constexpr std::uint32_t kOfSite = 400;
    static constexpr std::size_t kMostCounted = 1'000'000;  // beyond this: nobody new that day

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

    /// Tells other nodes what was counted for the day since the last call, and reads what all have
    /// counted. All nodes together may let through up to twice the limit of a day, however many
    /// nodes there are. While the shared counts are away, what was counted is kept for the next
    /// call.
    Task<> exchange(SharedCounts& shared);

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
    struct Bound {
        std::uint64_t key;
        std::uint32_t most;
    };
    struct Untold {
        std::uint32_t most = 0;
        std::int32_t times = 0;
    };
    using AllUntold = std::unordered_map<std::uint64_t, Untold>;

    Verdict count_stranger(const Ask& ask, Instant now);
    Verdict count_device(const Ask& ask, Instant now);
    Headroom look_all(Instant now) EXCLUDES(mutex_);
    Headroom count_day(std::span<const Bound> bounds, Instant now) EXCLUDES(mutex_);
    std::chrono::microseconds begin_day(Instant now) REQUIRES(mutex_);
    void note_untold(const Bound& bound, std::int32_t times) REQUIRES(mutex_);
    void hear(std::uint64_t key, std::uint32_t counted) REQUIRES(mutex_);
    std::uint64_t key_of(Kind kind, std::string_view who, std::string_view phone) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    const std::uint32_t per_day_;
    const bool is_shared_;
    RateLimiter pauses_;
    Mutex mutex_;
    AllUntold untold_ GUARDED_BY(mutex_);
    std::unordered_map<std::uint64_t, std::uint32_t> counts_ GUARDED_BY(mutex_);
    std::uint32_t sent_ GUARDED_BY(mutex_) = 0;
    Instant day_began_ GUARDED_BY(mutex_){};
};

}  // namespace sluice::gate
