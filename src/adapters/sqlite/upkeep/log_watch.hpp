#pragma once

#include <cstdint>
#include <functional>

#include "base/task.hpp"
#include "observe/log.hpp"

namespace sluice {

/// Reports when the database's log grows past what is usual, because somebody reads from one
/// snapshot for so long that it cannot be restarted. Again each time that its size has doubled, and
/// once when it is over.
class LogWatch {
  public:
    static constexpr std::uint64_t kLong = std::uint64_t{128} << 20;

    LogWatch(std::function<std::uint64_t()> log_bytes, Log& log)
        : log_bytes_(std::move(log_bytes)), log_(log) {}

    Task<> look();

  private:
    const std::function<std::uint64_t()> log_bytes_;
    Log& log_;
    std::uint64_t told_ = 0;  // 0: nothing to report
};

}  // namespace sluice
