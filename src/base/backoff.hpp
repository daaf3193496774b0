#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sluice {

/// How long to wait before the next try: twice as long after each failure, up to a limit.
struct Backoff {
    using Millis = std::chrono::milliseconds;

    Millis first;
    Millis longest;

    /// The wait after the first failure (number 0) and each further one.
    constexpr Millis after(std::int64_t failure) const {
        constexpr std::int64_t most = 62;  // doublings that a count of milliseconds can hold
        const auto doublings = std::min(failure, most);
        if (first.count() > longest.count() >> doublings) return longest;
        return Millis{first.count() << doublings};
    }

    /// The same, half of it fixed and half by `chance`, from 0 to 1, so that those who failed
    /// together do not come back together.
    constexpr Millis after(std::int64_t failure, double chance) const {
        const auto whole = after(failure);
        const auto certain = whole / 2;
        return certain + Millis{static_cast<Millis::rep>(
                             static_cast<double>((whole - certain).count()) * chance)};
    }
};

}  // namespace sluice
