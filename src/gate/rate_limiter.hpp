#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "http/route.hpp"

namespace sluice::gate {

/// GCRA over a table of fixed size: no allocation, no lock, and no growth under a flood of
/// distinct keys. Where the table is crowded the key that was used longest ago is forgotten, which
/// errs on the side of letting somebody through. Safe from any thread.
class RateLimiter {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    /// `sets` is a power of two; each holds four keys.
    explicit RateLimiter(std::size_t sets = 1 << 16);

    /// Zero when the key may go on, and it is then counted; else how long to wait. The key is a
    /// keyed hash that nobody outside can aim.
    std::chrono::milliseconds wait_for(std::uint64_t key, http::Rate rate, Instant now);

    /// The key starts anew.
    void forget(std::uint64_t key);

  private:
    static constexpr std::size_t kWays = 4;
    struct alignas(kWays * sizeof(std::uint64_t)) Set {
        std::array<std::atomic<std::uint64_t>, kWays> slots{};
    };

    const std::size_t mask_;
    const Instant began_;
    std::unique_ptr<Set[]> sets_;
};

}  // namespace sluice::gate
