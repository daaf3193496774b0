#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/large_table.hpp"
#include "gate/rates.hpp"

namespace sluice::gate {

/// GCRA over a table of fixed size: no allocation, no lock, and no growth under a flood of
/// distinct keys. Where the table is crowded the key that was used longest ago is forgotten, which
/// errs on the side of letting somebody through. Safe from any thread.
class RateLimiter {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    /// `sets` is a power of two up to 2^16; each holds four keys.
    explicit RateLimiter(std::size_t sets = 1 << 16);

    struct Count {
        std::chrono::microseconds wait{0};     // 0: it may go on; else how long until it may
        std::uint32_t left = 0;                // so many more at once from here
        std::chrono::microseconds full_in{0};  // until the whole burst is there again
    };
    /// Counts the key, unless it has to wait: a refusal costs it nothing more. The key is a keyed
    /// hash that nobody outside can aim.
    Count count(std::uint64_t key, Quota quota, Instant now);

    /// What count() would say, without counting; `left` and `full_in` as they are before it.
    Count look(std::uint64_t key, Quota quota, Instant now) const;

    std::size_t bytes() const { return (mask_ + 1) * sizeof(Set); }

    /// The key starts anew.
    void forget(std::uint64_t key);

    /// Takes back one count().
    void give_back(std::uint64_t key, Quota quota);

  private:
    static constexpr std::size_t kWays = 4;
    struct alignas(kWays * sizeof(std::uint64_t)) Set {
        std::array<std::atomic<std::uint64_t>, kWays> slots{};
    };

    std::uint64_t micros_at(Instant now) const;

    const std::size_t mask_;
    const Instant began_;
    LargeTable<Set> sets_;
};

}  // namespace sluice::gate
