#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace sluice {

/// Durations from a microsecond to two minutes, each with a precision of an eighth and no better,
/// since there is one of these objects for each thread and sale.
struct LatencyCounts {
    static constexpr int kStepBits = 3;
    static constexpr int kHighestBits = 27;  // of microseconds
    static constexpr std::size_t kSize = std::size_t{kHighestBits - kStepBits + 1} << kStepBits;

    std::array<std::uint32_t, kSize> counts{};

    /// Below 16 a value is its own index; above that, the low `shift` bits are dropped.
    static constexpr std::size_t index_of(std::chrono::nanoseconds took) noexcept {
        const auto micros = std::clamp<std::int64_t>(took.count() / 1'000, 0, kHighest);
        const auto value = static_cast<std::uint64_t>(micros);
        const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kStepBits - 1);
        return (static_cast<std::size_t>(shift) << kStepBits) + (value >> shift);
    }

    /// The least duration that is counted behind this one.
    static constexpr std::chrono::microseconds end_of(std::size_t index) noexcept {
        const auto shift = index < (2u << kStepBits) ? 0 : (index >> kStepBits) - 1;
        const auto lowest = (index - (shift << kStepBits)) << shift;
        return std::chrono::microseconds{lowest + (std::uint64_t{1} << shift)};
    }

    void add(const LatencyCounts& more) noexcept {
        for (std::size_t i = 0; i < kSize; ++i) counts[i] += more.counts[i];
    }

    /// The duration that `percent` of all do not exceed, at most an eighth too long; zero when
    /// nothing was counted.
    std::chrono::microseconds percentile(double percent) const noexcept {
        std::uint64_t total = 0;
        for (const auto count : counts) total += count;
        if (total == 0) return {};
        const auto rank = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(total))));
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < kSize; ++i) {
            seen += counts[i];
            if (seen >= rank) return end_of(i);
        }
        return end_of(kSize - 1);
    }

  private:
    static constexpr std::int64_t kHighest = (std::int64_t{1} << kHighestBits) - 1;
};

}  // namespace sluice
