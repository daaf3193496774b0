#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "base/task.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Compares the database server's clock with the shop's time on this node, by which windows, holds
/// and expiries are decided. With one server nothing breaks when they differ; but one of the two is
/// wrong, and if it is ours, sales open at the wrong time. With several servers, one whose time is
/// an hour ahead would end the holds of all others.
class LedgerClockWatch {
  public:
    /// With a larger difference a server among several does not start, and a running one ends no
    /// hold.
    static constexpr std::chrono::seconds kMost{30};

    /// `ask` returns by how much the server's clock is ahead of ours.
    LedgerClockWatch(std::function<Task<std::chrono::milliseconds>()> ask, Log& log)
        : ask_(std::move(ask)), log_(log) {}

    Task<> look();

    /// As of the last look. From any thread.
    std::chrono::milliseconds difference() const { return std::chrono::milliseconds{millis_}; }
    bool is_sure() const { return std::chrono::abs(difference()) <= kMost; }
    void add_metrics(MetricsPage& metrics) const;

  private:
    const std::function<Task<std::chrono::milliseconds>()> ask_;
    Log& log_;
    bool differs_ = false;
    std::atomic<std::int64_t> millis_ = 0;
};

}  // namespace sluice
