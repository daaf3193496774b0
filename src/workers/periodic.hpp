#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/nap.hpp"
#include "observe/log.hpp"

namespace sluice {

/// Repeats one step on an event loop: at start, after each pause, and when woken. The step needs no
/// input and may be repeated at any time; a step that fails is logged and tried again next time.
class Periodic {
  public:
    Periodic(std::string name, std::chrono::milliseconds pause, std::function<Task<>()> step,
             Log& log);

    /// The step returns how long to pause. The pause is at most `longest`, because a wake-up may be
    /// missed and the wall clock may be set. After a step that has failed it is `longest`.
    Periodic(std::string name, std::chrono::milliseconds longest,
             std::function<Task<std::chrono::milliseconds>()> step, Log& log);
    /// If it was started, destroy it only after stop() has returned.
    ~Periodic();
    Periodic(const Periodic&) = delete;
    Periodic& operator=(const Periodic&) = delete;

    /// On that loop, or before the loop runs.
    void start(Executor& loop);

    /// The next step comes at once; if one is under way, another follows it. Has no effect before
    /// start(), since the first step comes then. From any thread.
    void wake();

    /// Awaited by stop() after the last step, for steps that leave something under way. To be set
    /// before start().
    void finish_with(std::function<Task<>()> finish) { finish_ = std::move(finish); }

    /// On the loop: returns when no step is under way and none will be.
    Task<> stop();

  private:
    Task<> run();

    const std::string name_;
    const std::chrono::milliseconds longest_;
    const std::function<Task<std::chrono::milliseconds>()> step_;
    Log& log_;
    std::function<Task<>()> finish_;

    std::atomic<Executor*> loop_ = nullptr;

    // Used by the loop's thread only.
    Nap pause_;
    Nap end_;  // who waits for run() to return
    bool running_ = false;
    bool stopping_ = false;
    bool woken_ = false;
};

}  // namespace sluice
