#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/timestamp.hpp"

namespace sluice {

/// Makes 63-bit ids that sort by the time they were made: 41 bits of milliseconds since 2025, 10
/// bits of node, 12 bits of sequence. Safe from any thread. One source never makes an id twice:
/// when the clock stands still, steps back or 4,096 ids fall into one millisecond, it goes on from
/// the last id instead.
class IdSource {
  public:
    explicit IdSource(std::uint32_t node) : node_(node & 0x3ff) {}

    std::int64_t next(Timestamp now) noexcept {
        const std::int64_t earliest = (to_millis(now) - kEpochMillis) << kSequenceBits;
        std::int64_t last = last_.load(std::memory_order_relaxed);
        std::int64_t mine;
        do {
            mine = last < earliest ? earliest : last + 1;
        } while (!last_.compare_exchange_weak(last, mine, std::memory_order_relaxed));
        const std::int64_t millis = mine >> kSequenceBits;
        const std::int64_t sequence = mine & ((1 << kSequenceBits) - 1);
        return millis << (kSequenceBits + kNodeBits) | std::int64_t{node_} << kSequenceBits |
               sequence;
    }

    /// The lowest id of that time: ids made at `at` or later are not below it, and ids made earlier
    /// are, unless the source had run ahead of the clock.
    static constexpr std::int64_t first_at(Timestamp at) noexcept {
        const auto millis = std::clamp(to_millis(at) - kEpochMillis, std::int64_t{0}, kLastMillis);
        return millis << (kSequenceBits + kNodeBits);
    }

  private:
    static constexpr std::int64_t kEpochMillis = 1'735'689'600'000;  // 2025-01-01
    static constexpr int kSequenceBits = 12;
    static constexpr int kNodeBits = 10;
    static constexpr std::int64_t kLastMillis = (std::int64_t{1} << 41) - 1;

    const std::uint32_t node_;
    std::atomic<std::int64_t> last_{0};
};

}  // namespace sluice
