#include "gate/new_account_limiter.hpp"

#include <algorithm>

#include <sodium.h>

namespace sluice::gate {
namespace {

constexpr std::uint64_t kDayMicros = 86'400'000'000;
static_assert(kDayMicros / (NewAccountLimiter::kLeastPerDay / 2) <= UINT32_MAX,
              "an interval is a word");

Quota quota_of(unsigned per_day) {
    const auto half = std::max(per_day, NewAccountLimiter::kLeastPerDay) / 2;
    return {.interval = static_cast<std::uint32_t>(kDayMicros / half), .burst = half};
}

}  // namespace

NewAccountLimiter::NewAccountLimiter(const LimitScope& scope,
                                     const std::array<unsigned char, 16>& hash_key,
                                     unsigned per_day, CountExchange* shared)
    : scope_(scope),
      hash_key_(hash_key),
      household_(quota_of(per_day)),
      site_(quota_of(per_day * 4)),
      limiter_(1 << 14, {.with = shared, .name = 'u'}) {}

Headroom NewAccountLimiter::look(const Address& client, Instant now) const {
    if (!is_limited(client)) return {};
    const Headroom near{"accounts", household_,
                        limiter_.look(key_of(household_of(client)), household_, now)};
    if (near.waits() || client.is_v4()) return near;
    return {"accounts", site_, limiter_.look(key_of(site_of(client)), site_, now)};
}

Headroom NewAccountLimiter::count(const Address& client, Instant now) {
    if (!is_limited(client)) return {};
    const Headroom near{"accounts", household_,
                        limiter_.count(key_of(household_of(client)), household_, now)};
    if (near.waits() || client.is_v4()) return near;
    return {"accounts", site_, limiter_.count(key_of(site_of(client)), site_, now)};
}

bool NewAccountLimiter::is_limited(const Address& client) const {
    return scope_.enabled() && !is_loopback(client) && !scope_.exempts(client);
}

std::uint64_t NewAccountLimiter::key_of(const Network& network) const {
    std::array<unsigned char, 18> text{};
    std::ranges::copy(network.base.bytes, text.begin());
    text[16] = static_cast<unsigned char>(network.prefix);
    text[17] = 'a';
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(), text.size(),
                     hash_key_.data());
    return key;
}

}  // namespace sluice::gate
