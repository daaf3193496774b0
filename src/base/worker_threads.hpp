#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

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

    const std::size_t backlog_;
    mutable std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Job> queue_;  // under mutex_
    bool stopping_ = false;  // under mutex_
    std::vector<std::thread> threads_;
};

}  // namespace sluice
