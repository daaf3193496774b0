#pragma once

#include <chrono>
#include <condition_variable>

#include "base/mutex.hpp"

namespace sluice {

/// std::condition_variable for a Mutex. A wait may end without a reason, so it stands in a loop
/// that checks the condition:
///
///     while (queue_.empty()) ready_.wait(mutex_);
///
/// The loop belongs to the caller: inside a function object that is passed here, clang would not
/// see that the mutex is held.
class Condition {
  public:
    void wait(Mutex& mutex) REQUIRES(mutex) {
        std::unique_lock held(mutex.mutex_, std::adopt_lock);
        condition_.wait(held);
        held.release();
    }

    /// False when the time is over.
    bool wait_until(Mutex& mutex, std::chrono::steady_clock::time_point time) REQUIRES(mutex) {
        std::unique_lock held(mutex.mutex_, std::adopt_lock);
        const auto status = condition_.wait_until(held, time);
        held.release();
        return status == std::cv_status::no_timeout;
    }

    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

  private:
    std::condition_variable condition_;
};

}  // namespace sluice
