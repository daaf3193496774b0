#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "observe/latency_counts.hpp"

namespace sluice {

/// Counts what is asked of each sale, in a table of fixed size: a sale gets a place when it is
/// first asked for and keeps it until the place is freed. As in RequestMetrics, each thread has
/// lines of its own, so counting means to read one set of eight ids and make a few plain stores: no
/// lock, no shared writes, no allocation.
///
/// The counts of a place only grow, and stay when its sale goes: whoever gathers keeps the last
/// counts and takes the difference.
class FunnelCounts {
  public:
    static constexpr std::size_t kPlaces = 512;

    enum class Step { visit, challenge, pass, attempt };
    static constexpr std::size_t kSteps = 4;

    struct Counts {
        std::array<std::uint32_t, kSteps> steps{};
        std::vector<std::uint32_t> refusals;  // by code
        LatencyCounts latency;                // of attempts
    };

    FunnelCounts(std::size_t codes, unsigned threads);

    /// The place where the sale is counted. Ids are positive.
    std::optional<std::size_t> find(std::int64_t sale) const noexcept;

    /// As find(), but takes a place for the sale if it has none; nothing when all places that it
    /// could have are taken by others.
    std::optional<std::size_t> take(std::int64_t sale) noexcept;

    // `thread` counts from 0 and is used by one thread only.
    void count(unsigned thread, std::size_t place, Step step) noexcept;
    void count_refusal(unsigned thread, std::size_t place, std::size_t code) noexcept;
    void count_latency(unsigned thread, std::size_t place, std::chrono::nanoseconds took) noexcept;

    // For the one that gathers.

    /// Zero when no sale has the place.
    std::int64_t sale_at(std::size_t place) const noexcept {
        return sales_[place].load(std::memory_order_acquire);
    }
    /// Of all threads together, since the start; each count wraps around.
    Counts read(std::size_t place) const;
    /// Frees the place for another sale. A request that found it a moment ago is counted for the
    /// next sale, so free it only when the sale has had no requests for a while.
    void free(std::size_t place) noexcept { sales_[place].store(0, std::memory_order_release); }

  private:
    static constexpr std::size_t kSet = 8;  // places that one sale could have

    using Counter = std::atomic<std::uint32_t>;

    struct alignas(64) Line {
        std::array<Counter, kSteps> steps{};
        std::array<Counter, LatencyCounts::kSize> latency{};
    };
    struct Block {
        explicit Block(std::size_t codes) : lines(kPlaces), refusals(kPlaces * codes) {}
        std::vector<Line> lines;
        std::vector<Counter> refusals;  // by place, then by code
    };

    static std::size_t first_of_set(std::int64_t sale) noexcept;

    const std::size_t codes_;
    std::array<std::atomic<std::int64_t>, kPlaces> sales_{};
    std::vector<Block> blocks_;  // by thread
};

}  // namespace sluice
