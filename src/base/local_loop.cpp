#include "base/local_loop.hpp"

namespace sluice {

LocalLoop& LocalLoop::of_this_thread() {
    thread_local LocalLoop loop;
    return loop;
}

void LocalLoop::post(std::move_only_function<void()> work) {
    const MutexLock lock(mutex_);
    work_.push_back(std::move(work));
    // Told under the lock, because whoever waits for this may destroy the loop right afterwards.
    posted_.notify_one();
}

class LocalLoop::Timer final : public Alarm {
  public:
    Timer(LocalLoop& loop, std::chrono::steady_clock::time_point at,
          std::move_only_function<void()> ring)
        : loop_(loop), ring_(std::move(ring)), place_(loop.timers_.emplace(at, this)) {}
    ~Timer() override {
        if (place_) loop_.timers_.erase(*place_);
    }
    void ring() {
        loop_.timers_.erase(*place_);
        place_.reset();
        ring_();
    }

  private:
    LocalLoop& loop_;
    std::move_only_function<void()> ring_;
    std::optional<decltype(timers_)::iterator> place_;  // unless it has rung
};

std::unique_ptr<Executor::Alarm> LocalLoop::set_alarm(std::chrono::milliseconds after,
                                                      std::move_only_function<void()> ring) {
    return std::make_unique<Timer>(*this, std::chrono::steady_clock::now() + after,
                                   std::move(ring));
}

void LocalLoop::run_due_timers() {
    const auto now = std::chrono::steady_clock::now();
    while (!timers_.empty() && timers_.begin()->first <= now) timers_.begin()->second->ring();
}

void LocalLoop::run_until(const bool& over) {
    while (!over) run_one(true);
}

bool LocalLoop::run_one(bool wait) {
    run_due_timers();
    std::move_only_function<void()> next;
    {
        const MutexLock lock(mutex_);
        if (wait) wait_for_work();
        if (work_.empty()) return wait;  // a bell was due earlier
        next = std::move(work_.front());
        work_.pop_front();
    }
    next();
    return true;
}

void LocalLoop::wait_for_work() {
    while (work_.empty()) {
        if (timers_.empty())
            posted_.wait(mutex_);
        else if (!posted_.wait_until(mutex_, timers_.begin()->first))
            return;
    }
}

void LocalLoop::poll() {
    while (run_one(false)) continue;
}

}  // namespace sluice
