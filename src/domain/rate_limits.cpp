#include "domain/rate_limits.hpp"

#include <algorithm>

namespace sluice {
namespace {

constexpr unsigned kMinutesToRefill = 60;

}  // namespace

const RateSetting* find_rate_setting(std::string_view name) {
    const auto at = std::ranges::find(kRateSettings, name, &RateSetting::name);
    return at == std::end(kRateSettings) ? nullptr : &*at;
}

std::vector<RateConflict> find_rate_conflicts(const RateLimits& limits) {
    std::vector<RateConflict> conflicts;
    for (std::size_t i = 0; i + 1 < std::size(kRateSettings); ++i) {
        // A rate is followed by its burst.
        const auto& rate = kRateSettings[i];
        const auto& burst = kRateSettings[i + 1];
        if (!rate.name.ends_with(".per_minute")) continue;
        const unsigned most = rate.in(limits)*kMinutesToRefill;
        if (burst.in(limits) > most)
            conflicts.push_back({burst.name, rate.name, burst.in(limits), most});
    }
    return conflicts;
}

}  // namespace sluice
