#pragma once

#include <chrono>
#include <condition_variable>

#include "base/mutex.hpp"

namespace sluice {

/// std::condition_variable for a Mutex. A wait may end for no reason, so it stands in a loop that
/// looks at what is waited for:
///
///     while (queue_.empty()) ready_.wait(mutex_);
///
/// The loop stands with the caller and not in here, because clang does not see in a function that
/// is handed over that the mutex is held.
class Condition {
  public:
    void wait(Mutex& mutex) REQUIRES(mutex) {
        std::unique_lock held(mutex.mutex_, std::adopt_lock);
        condition_.wait(held);
        held.release();
    }

    /// False once the time has come.
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
