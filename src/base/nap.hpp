#pragma once

#include "base/task.hpp"

namespace sluice {

/// A pause that can be ended early. For one sleeper at a time; on one loop's thread only.
class Nap {
  public:
    /// Returns after that time, or when the pause is ended before.
    Task<> sleep(std::chrono::milliseconds longest) {
        auto& loop = co_await own_executor();
        auto start = [&](Completion<Done> wake) {
            wake_ = std::move(wake);
            alarm_ = loop.set_alarm(longest, [this] { end(); });
        };
        co_await await_completion<Done>(std::move(start));
    }
    /// Returns when it is ended.
    Task<> sleep() {
        auto start = [&](Completion<Done> wake) { wake_ = std::move(wake); };
        co_await await_completion<Done>(std::move(start));
    }
    void end() {
        alarm_.reset();
        if (auto wake = std::exchange(wake_, nullptr)) wake(nullptr, Done{});
    }

  private:
    Completion<Done> wake_;
    std::unique_ptr<Executor::Alarm> alarm_;
};

}  // namespace sluice
