#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/mutex.hpp"

namespace sluice {

/// For a log line that strangers can cause: a few a minute are written, and the next one says how
/// many were left out. Safe from any thread.
class Sparing {
  public:
    using Instant = std::chrono::steady_clock::time_point;

    explicit Sparing(unsigned a_minute) : a_minute_(a_minute) {}

    /// Nothing: leave the line out. Otherwise how many were left out since the last one.
    std::optional<std::uint64_t> admit(Instant now) {
        const MutexLock lock(mutex_);
        if (!began_ || now - *began_ >= std::chrono::minutes{1}) {
            began_ = now;
            written_ = 0;
        }
        if (written_ == a_minute_) {
            ++left_out_;
            return std::nullopt;
        }
        ++written_;
        return std::exchange(left_out_, 0);
    }

  private:
    const unsigned a_minute_;
    Mutex mutex_;
    std::optional<Instant> began_ GUARDED_BY(mutex_);
    unsigned written_ GUARDED_BY(mutex_) = 0;
    std::uint64_t left_out_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
