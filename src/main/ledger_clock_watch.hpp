#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "base/task.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// Compares the database server's clock with ours. Windows, holds and expiries go by the shop's
/// clock of this node, so nothing breaks when they differ; but one of the two is wrong, and if it
/// is ours, sales open at the wrong time.
class LedgerClockWatch {
  public:
    /// `ask` tells by how much the server's clock is before ours.
    LedgerClockWatch(std::function<Task<std::chrono::milliseconds>()> ask, Log& log)
        : ask_(std::move(ask)), log_(log) {}

    Task<> look();
    void add_metrics(MetricsPage& metrics) const;

  private:
    const std::function<Task<std::chrono::milliseconds>()> ask_;
    Log& log_;
    bool differs_ = false;
    std::atomic<std::int64_t> millis_ = 0;
};

}  // namespace sluice
