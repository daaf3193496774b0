#pragma once

#include <atomic>

#include "ports/clock.hpp"

namespace sluice::testing_support {

/// A clock that stands still until it is moved. Safe from any thread.
class ManualClock final : public Clock {
  public:
    Timestamp now() const override { return from_millis(now_.load()); }
    void move(std::chrono::milliseconds by) { now_ += by.count(); }

  private:
    std::atomic<std::int64_t> now_{1'794'513'600'000};
};

}  // namespace sluice::testing_support
