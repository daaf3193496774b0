#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sluice {

/// The kind of rate limit for a route's callers. Each route of the table names one.
enum class RateClass : unsigned char {
    reading,   // looking at pages
    probing,   // the machine room
    working,   // an operator or their script
    buying,    // clicking as fast as one can; counted by sale too
    typing,    // what a person fills in
    guessing,  // passwords
};
inline constexpr std::size_t kRateClasses = static_cast<std::size_t>(RateClass::guessing) + 1;

/// Whether such requests may be turned away so that others get through. Not those to the machine
/// room and of operators, who have to see what goes on, and end it.
constexpr bool is_for_shoppers(RateClass which) {
    return which != RateClass::probing && which != RateClass::working;
}

/// The steady rate, and how many at once after a rest.
struct Rate {
    unsigned per_minute = 0;
    unsigned burst = 0;

    friend bool operator==(const Rate&, const Rate&) = default;
};

/// For everybody together; no limit when per_second is 0.
struct CommonRate {
    unsigned per_second = 0;
    unsigned burst = 1'000;

    friend bool operator==(const CommonRate&, const CommonRate&) = default;
};

/// All rate limits, with their defaults. Why they are what they are: docs/limits.md.
struct RateLimits {
    /// For one person and one route, by RateClass.
    std::array<Rate, kRateClasses> classes{
        {{6'000, 500}, {6'000, 500}, {1'200, 200}, {120, 20}, {60, 30}, {12, 6}}};
    /// An address gets this many times as much: an office, a school or a carrier puts many people
    /// behind one.
    unsigned people_per_address = 10;
    /// How many people of one network may hold unpaid units of a sale at once; 0: any number.
    unsigned holders_per_network = 0;
    CommonRate sale;  // purchases in one sale, on this node
    CommonRate node;  // all requests of shoppers, on this node

    const Rate& of(RateClass which) const { return classes[static_cast<std::size_t>(which)]; }
    Rate& of(RateClass which) { return classes[static_cast<std::size_t>(which)]; }

    friend bool operator==(const RateLimits&, const RateLimits&) = default;
};

/// One number of RateLimits under the name that configuration, ledger and audit trail use.
struct RateSetting {
    std::string_view name;  // limits.buying.per_minute
    unsigned least, most;
    unsigned& (*field)(RateLimits&);

    unsigned in(const RateLimits& limits) const {
        RateLimits copy = limits;
        return field(copy);
    }
};

namespace detail {
template <RateClass which>
constexpr unsigned& per_minute(RateLimits& limits) {
    return limits.of(which).per_minute;
}
template <RateClass which>
constexpr unsigned& burst(RateLimits& limits) {
    return limits.of(which).burst;
}
}  // namespace detail

/// A thousand a second for each of a thousand people is one in a microsecond, which is as fine as
/// the rate limiter counts.
inline constexpr unsigned kMostPerMinute = 60'000;
inline constexpr unsigned kMostPeople = 1'000;
inline constexpr unsigned kMostPerSecond = 1'000'000;
inline constexpr unsigned kMostHolders = 100'000;

// clang-format off
inline constexpr RateSetting kRateSettings[] = {
    {"limits.reading.per_minute", 1, kMostPerMinute, detail::per_minute<RateClass::reading>},
    {"limits.reading.burst", 1, kMostPerMinute, detail::burst<RateClass::reading>},
    {"limits.probing.per_minute", 1, kMostPerMinute, detail::per_minute<RateClass::probing>},
    {"limits.probing.burst", 1, kMostPerMinute, detail::burst<RateClass::probing>},
    {"limits.working.per_minute", 1, kMostPerMinute, detail::per_minute<RateClass::working>},
    {"limits.working.burst", 1, kMostPerMinute, detail::burst<RateClass::working>},
    {"limits.buying.per_minute", 1, kMostPerMinute, detail::per_minute<RateClass::buying>},
    {"limits.buying.burst", 1, kMostPerMinute, detail::burst<RateClass::buying>},
    {"limits.typing.per_minute", 1, kMostPerMinute, detail::per_minute<RateClass::typing>},
    {"limits.typing.burst", 1, kMostPerMinute, detail::burst<RateClass::typing>},
    {"limits.guessing.per_minute", 1, kMostPerMinute, detail::per_minute<RateClass::guessing>},
    {"limits.guessing.burst", 1, kMostPerMinute, detail::burst<RateClass::guessing>},
    {"limits.people_per_address", 1, kMostPeople, [](RateLimits& l) -> unsigned& { return l.people_per_address; }},
    {"limits.holders_per_network", 0, kMostHolders, [](RateLimits& l) -> unsigned& { return l.holders_per_network; }},
    {"limits.sale.per_second", 0, kMostPerSecond, [](RateLimits& l) -> unsigned& { return l.sale.per_second; }},
    {"limits.sale.burst", 1, kMostPerSecond, [](RateLimits& l) -> unsigned& { return l.sale.burst; }},
    {"limits.node.per_second", 0, kMostPerSecond, [](RateLimits& l) -> unsigned& { return l.node.per_second; }},
    {"limits.node.burst", 1, kMostPerSecond, [](RateLimits& l) -> unsigned& { return l.node.burst; }},
};
// clang-format on

const RateSetting* find_rate_setting(std::string_view name);

/// A burst that the rate would need more than an hour to allow again: whoever used it up would
/// think they were locked out.
struct RateConflict {
    std::string_view burst, rate;  // the settings' names
    unsigned burst_is, burst_at_most;
};
std::vector<RateConflict> find_rate_conflicts(const RateLimits& limits);

}  // namespace sluice
