#pragma once

#include <deque>
#include <map>

#include "base/condition.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"

namespace sluice {

/// The smallest event loop: the thread that runs it does what is posted.
class LocalLoop final : public Executor {
  public:
    /// Kept from one task to the next: a thread that posts its result may still be inside that call
    /// when the task has ended.
    static LocalLoop& of_this_thread();

    void post(std::move_only_function<void()> work) override;
    std::unique_ptr<Alarm> set_alarm(std::chrono::milliseconds after,
                                     std::move_only_function<void()> ring) override;

    /// Does what was posted, and waits for more, until `over` returns true.
    void run_until(const bool& over);
    /// Does one thing, and waits for it if `wait` is set. False when nothing was done.
    bool run_one(bool wait);
    /// Does what is posted, and what follows from it, without waiting.
    void poll();

  private:
    class Timer;

    void run_due_timers();
    /// Waits until something is posted or a bell is due.
    void wait_for_work() REQUIRES(mutex_);

    std::multimap<std::chrono::steady_clock::time_point, Timer*> timers_;  // of the loop's thread
    Mutex mutex_;
    Condition posted_;
    std::deque<std::move_only_function<void()>> work_ GUARDED_BY(mutex_);
};

}  // namespace sluice
