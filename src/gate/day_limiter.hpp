#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>

namespace sluice::gate {

/// So many at once after a rest, and as many again in the course of a day, one after the other. For
/// bounds of a few a day, whose intervals are too long for RateLimiter. Exact, in a table that
/// grows up to a bound. Not safe from several threads: its owner locks.
class DayLimiter {
  public:
    using Instant = std::chrono::steady_clock::time_point;
    using Micros = std::chrono::microseconds;

    static constexpr Micros kDay = std::chrono::hours(24);
    /// How long whoever is new waits while the table is full.
    static constexpr Micros kWaitWhenFull = std::chrono::minutes(1);

    explicit DayLimiter(std::size_t most_keys) : most_keys_(most_keys) {}

    struct Bound {
        std::uint64_t key = 0;
        std::uint32_t per_day = 1;

        Micros interval() const { return kDay / per_day; }
    };

    /// How long until one more may be counted; 0: now.
    Micros wait(const Bound& bound, Instant now);

    /// Also when there is a wait: so much more is owed.
    void count(const Bound& bound, Instant now);

    /// Others have used up at least this much of it. A key that was forgotten stays so.
    void correct(std::uint64_t key, Micros used, Instant now);

    std::size_t size() const { return full_at_.size(); }

  private:
    static constexpr std::size_t kForgottenAtOnce = 8;

    void forget_some(Instant now);
    void set(std::uint64_t key, Instant full_at);

    const std::size_t most_keys_;
    std::unordered_map<std::uint64_t, Instant> full_at_;  // when all of the bound is there again
    std::set<std::pair<Instant, std::uint64_t>> in_order_;
};

}  // namespace sluice::gate
