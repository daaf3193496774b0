#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/task.hpp"

namespace sluice {

/// Counts that several nodes keep together, in addition to their own. A count is used up by what is
/// counted and recovers with time: one is free again after each `interval`, and `burst` of them
/// after a rest. From any event loop.
class SharedCounts {
  public:
    struct Entry {
        std::uint64_t key = 0;  // the same on every node; outsiders cannot choose it
        std::chrono::microseconds interval{0};
        std::uint32_t burst = 0;
        std::int32_t times = 1;  // negative: that many are given back
        enum class Mode : unsigned char {
            add,     // may exceed the burst, by up to another burst of debt
            strict,  // nothing is added if it would go beyond the burst
            anew,    // what was used up before is forgotten
        } mode = Mode::add;
    };

    virtual ~SharedCounts() = default;

    /// Returns for each entry how much time it takes until the whole burst is free again, for all
    /// nodes together. More than interval * burst means: too many. Each entry is one step; if
    /// others count at the same time, each gets another sum. Throws Outage or Overload; what was
    /// added by then stays.
    virtual Task<std::vector<std::chrono::microseconds>> add(std::vector<Entry> entries) = 0;
};

}  // namespace sluice
