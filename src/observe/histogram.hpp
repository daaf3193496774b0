#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sluice {

/// Durations from a nanosecond to hours, each kept to 0.8 %, in 40 KB that never grow: every power
/// of two is cut into 128 equal steps, as HdrHistogram does it. Recording costs two shifts and an
/// increment. One writer; readers only when it rests.
class Histogram {
  public:
    using Duration = std::chrono::nanoseconds;

    /// Above this, only count and maximum are exact.
    static constexpr Duration kHighest{(std::int64_t{1} << 46) - 1};  // 19 hours

    /// A negative duration counts as none.
    void record(Duration duration) noexcept {
        const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count()));
        ++counts_[index_of(std::min(value, static_cast<std::uint64_t>(kHighest.count())))];
        ++count_;
        total_ += static_cast<double>(value);
        least_ = std::min(least_, value);
        most_ = std::max(most_, value);
    }

    void merge(const Histogram& other) noexcept {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
        count_ += other.count_;
        total_ += other.total_;
        least_ = std::min(least_, other.least_);
        most_ = std::max(most_, other.most_);
    }

    std::uint64_t count() const noexcept { return count_; }

    // Of nothing, all of these are zero.
    Duration min() const noexcept { return as_duration(count_ == 0 ? 0 : least_); }
    Duration max() const noexcept { return as_duration(most_); }
    Duration mean() const noexcept {
        return count_ == 0
                   ? Duration{0}
                   : as_duration(static_cast<std::uint64_t>(total_ / static_cast<double>(count_)));
    }

    /// The duration that `percent` (0 to 100) of all do not exceed; 0 gives the minimum and 100
    /// the maximum, exactly.
    Duration percentile(double percent) const noexcept {
        if (count_ == 0 || percent <= 0) return min();
        const auto rank = static_cast<std::uint64_t>(
            std::ceil(std::min(percent, 100.0) / 100 * static_cast<double>(count_)));
        if (rank >= count_) return max();
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (seen >= rank) return as_duration(std::clamp(middle_of(i), least_, most_));
        }
        return max();
    }

  private:
    static constexpr int kStepBits = 7;
    static constexpr int kHighestBits = 46;

    /// Below 256 a value is its own index; above, `shift` low bits are given up.
    static constexpr std::size_t index_of(std::uint64_t value) noexcept {
        const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kStepBits - 1);
        return (static_cast<std::size_t>(shift) << kStepBits) + (value >> shift);
    }

    static constexpr std::uint64_t middle_of(std::size_t index) noexcept {
        if (index < (2u << kStepBits)) return index;
        const auto shift = (index >> kStepBits) - 1;
        const std::uint64_t lowest = (index - (shift << kStepBits)) << shift;
        return lowest + (std::uint64_t{1} << shift) / 2;
    }

    static Duration as_duration(std::uint64_t value) noexcept {
        return Duration{static_cast<std::int64_t>(value)};
    }

    std::vector<std::uint64_t> counts_ =
        std::vector<std::uint64_t>(std::size_t{kHighestBits - kStepBits + 1} << kStepBits);
    std::uint64_t count_ = 0;
    double total_ = 0;
    std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most_ = 0;
};

}  // namespace sluice
