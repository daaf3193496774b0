#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/large_table.hpp"
#include "gate/rates.hpp"

namespace sluice::gate {

class CountExchange;

/// GCRA over a table of fixed size: no allocation, no lock, and no growth under a flood of distinct
/// keys. Where the table is crowded the least recently used key is forgotten, so the error is to
/// let somebody through. Safe from any thread.
class RateLimiter {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    /// How several nodes count together.
    struct Sharing {
        CountExchange* with = nullptr;  // nullptr: this node counts alone
        /// Separates its keys from those of other limiters.
        unsigned char name = 0;
        /// A key is not reported while less than this part of its burst is used up here: 0 always
        /// report, 4 a quarter.
        unsigned quiet_below = 0;
    };

    /// `sets` is a power of two up to 2^16; each holds four keys.
    explicit RateLimiter(std::size_t sets, Sharing sharing);
    explicit RateLimiter(std::size_t sets = 1 << 16) : RateLimiter(sets, Sharing{}) {}

    struct Count {
        std::chrono::microseconds wait{0};     // 0: allowed; else how long until it is
        std::uint32_t left = 0;                // how many more are allowed at once
        std::chrono::microseconds full_in{0};  // until the whole burst is there again
    };
    /// Counts the key, unless it has to wait: a refusal does not count. The key is a keyed hash, so
    /// nobody outside can choose it.
    Count count(std::uint64_t key, Quota quota, Instant now);

    /// What count() would return, without counting; `left` and `full_in` as they are before it.
    Count look(std::uint64_t key, Quota quota, Instant now) const;

    std::size_t bytes() const { return (mask_ + 1) * sizeof(Set); }

    /// The key starts anew, on this node only.
    void forget(std::uint64_t key);

    /// Takes back one count().
    void give_back(std::uint64_t key, Quota quota);

    /// All nodes together have used up at least this much of the key, which may be more than its
    /// window. From then on this counts here, unless more was counted here alone. A key that was
    /// forgotten meanwhile stays forgotten.
    void correct(std::uint64_t key, std::chrono::microseconds used, Instant now);

    /// Whether the key need not be reported to other nodes yet.
    bool is_quiet(std::uint64_t key, Quota quota, Instant now) const;

    const Sharing& sharing() const { return sharing_; }

  private:
    static constexpr std::size_t kWays = 4;
    struct alignas(kWays * sizeof(std::uint64_t)) Set {
        std::array<std::atomic<std::uint64_t>, kWays> slots{};
    };

    std::uint64_t micros_at(Instant now) const;

    /// How much may be used up at most; if nodes count together, debt is included.
    std::uint64_t most_used(Quota quota) const {
        return sharing_.with ? 2 * quota.window() : quota.window();
    }
    std::uint64_t used_at(std::uint64_t key, std::uint64_t present) const;

    const Sharing sharing_;
    const std::size_t mask_;
    const Instant began_;
    LargeTable<Set> sets_;
};

}  // namespace sluice::gate
