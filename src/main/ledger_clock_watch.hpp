#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "base/task.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Compares the database server's clock with the shop's time on this node. Windows, holds and
/// expiries go by the latter. If there is one server, nothing breaks when they differ; but one of
/// the two is wrong, and if it is ours, sales open at the wrong time. If there are several, a
/// server whose time is an hour ahead would end the holds of all others.
class LedgerClockWatch {
  public:
    /// Beyond it a server among several does not start, and one that runs ends no hold.
    static constexpr std::chrono::seconds kMost{30};

    /// `ask` tells by how much the server's clock is before ours.
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
