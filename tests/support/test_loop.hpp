#pragma once

#include <chrono>

#include "base/local_loop.hpp"

namespace sluice::testing_support {

/// An event loop that a test runs by hand. It outlives the threads that post to it.
class TestLoop final : public Executor {
  public:
    void post(std::move_only_function<void()> work) override { loop_.post(std::move(work)); }
    std::unique_ptr<Alarm> set_alarm(std::chrono::milliseconds after,
                                     std::move_only_function<void()> ring) override {
        return loop_.set_alarm(after, std::move(ring));
    }

    /// Begins the task when the loop is run. `then` gets the failure and, if the task has one, the
    /// value.
    template <class T, class Then>
    void spawn(Task<T> task, Then then) {
        ++open_;
        post([this, task = std::move(task), then = std::move(then)]() mutable {
            start_task(*this, std::move(task),
                       [this, then = std::move(then)](std::exception_ptr failure,
                                                      std::optional<T> value) mutable {
                           --open_;
                           then(std::move(failure), value ? std::move(*value) : T{});
                       });
        });
    }
    template <class Then>
    void spawn(Task<> task, Then then) {
        ++open_;
        post([this, task = std::move(task), then = std::move(then)]() mutable {
            start_task(*this, std::move(task),
                       [this, then = std::move(then)](std::exception_ptr failure) mutable {
                           --open_;
                           then(std::move(failure));
                       });
        });
    }

    /// Runs everything that need not wait.
    void poll() { loop_.poll(); }
    /// Runs one step, and waits for it.
    void run_one() { loop_.run_one(true); }
    /// Runs until all that was begun has ended.
    void run() {
        poll();
        while (open_ > 0) run_one();
        poll();
    }

  private:
    LocalLoop loop_;
    std::size_t open_ = 0;
};

}  // namespace sluice::testing_support
