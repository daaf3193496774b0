#include "gate/rates.hpp"

#include <algorithm>

namespace sluice::gate {
namespace {

constexpr std::uint32_t kMinute = 60'000'000;
constexpr std::uint32_t kSecond = 1'000'000;

static_assert(kMostPerMinute * kMostPeople <= kMinute && kMostPerSecond <= kSecond,
              "no interval of an address, a sale or the node is shorter than a microsecond");
static_assert(std::uint64_t{kMostPerMinute} * kMostPeople * kHouseholdsPerSite <= UINT32_MAX,
              "the burst of a site is a number of 32 bits");

}  // namespace

Quota Quota::of(const Rate& rate, unsigned people) {
    return {.interval = std::max(1u, kMinute / (rate.per_minute * people)),
            .burst = rate.burst * people};
}

Quota Quota::of(const CommonRate& rate) {
    if (rate.per_second == 0) return {};
    return {.interval = kSecond / rate.per_second, .burst = rate.burst};
}

void RatesInForce::set(const RateLimits& limits) {
    for (std::size_t i = 0; i < kRateClasses; ++i) {
        buyer_[i].store(Quota::of(limits.classes[i]));
        address_[i].store(Quota::of(limits.classes[i], limits.people_per_address));
        site_[i].store(
            Quota::of(limits.classes[i], limits.people_per_address * kHouseholdsPerSite));
    }
    sale_.store(Quota::of(limits.sale));
    node_.store(Quota::of(limits.node));
    holders_per_network_.store(limits.holders_per_network, std::memory_order_relaxed);
}

}  // namespace sluice::gate
