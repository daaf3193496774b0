#include "base/worker_threads.hpp"

#include <pthread.h>

namespace sluice {

WorkerThreads::WorkerThreads(std::string name, std::size_t threads, std::size_t backlog)
    : backlog_(backlog) {
    for (std::size_t i = 0; i < threads; ++i)
        threads_.emplace_back([this, title = name + "-" + std::to_string(i)] {
            pthread_setname_np(pthread_self(), title.substr(0, 15).c_str());
            run();
        });
}

WorkerThreads::~WorkerThreads() {
    {
        const MutexLock lock(mutex_);
        stopping_ = true;
    }
    ready_.notify_all();
    for (auto& thread : threads_) thread.join();
}

bool WorkerThreads::submit(Job job) {
    {
        const MutexLock lock(mutex_);
        if (stopping_ || queue_.size() >= backlog_) return false;
        queue_.push_back(std::move(job));
    }
    ready_.notify_one();
    return true;
}

std::size_t WorkerThreads::waiting() const {
    const MutexLock lock(mutex_);
    return queue_.size();
}

void WorkerThreads::run() {
    // Destroyed here, so that what a job holds is released before the next wait.
    while (auto job = take()) (*job)();
}

std::optional<WorkerThreads::Job> WorkerThreads::take() {
    const MutexLock lock(mutex_);
    while (queue_.empty() && !stopping_) ready_.wait(mutex_);
    if (queue_.empty()) return std::nullopt;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    return job;
}

}  // namespace sluice
