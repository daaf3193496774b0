#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/condition.hpp"
#include "base/mutex.hpp"

namespace sluice {

/// Named threads for work that blocks or takes long, behind a queue of bounded length. The
/// destructor finishes what is queued and joins.
class WorkerThreads {
  public:
    using Job = std::move_only_function<void()>;

    WorkerThreads(std::string name, std::size_t threads, std::size_t backlog);
    ~WorkerThreads();

    /// False when the queue is full: the job was not taken. A job must not throw.
    bool submit(Job job);

    std::size_t waiting() const;

  private:
    void run();
    /// Waits for the next job; nullopt at the end, when none is left.
    std::optional<Job> take() EXCLUDES(mutex_);

    const std::size_t backlog_;
    mutable Mutex mutex_;
    Condition ready_;
    std::deque<Job> queue_ GUARDED_BY(mutex_);
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::vector<std::thread> threads_;
};

}  // namespace sluice
