#include "adapters/sqlite/engine/job.hpp"

#include <algorithm>
#include <iterator>

#include "base/outage.hpp"

namespace sluice::sqlite {

std::exception_ptr Job::translate_current() {
    try {
        throw;
    } catch (const Error& error) {
        if (!error.is_outage()) return std::current_exception();
        outage_ = error.what();
        return std::make_exception_ptr(Outage(*outage_));
    } catch (...) {
        return std::current_exception();
    }
}

void JobQueue::put(std::unique_ptr<Job> job) {
    std::exception_ptr refused;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) {
            refused = std::make_exception_ptr(Outage("the ledger is closing"));
        } else if (waiting_.size() >= bound_) {
            refused = std::make_exception_ptr(Overload("too much is waiting for the ledger"));
        } else {
            waiting_.push_back(std::move(job));
            changed_.notify_one();
            return;
        }
    }
    job->deliver(refused);
}

Jobs JobQueue::take(std::size_t most, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return closed_ || !waiting_.empty(); });
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    const auto end = waiting_.begin() + count;
    Jobs jobs(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return jobs;
}

void JobQueue::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
}

bool JobQueue::is_finished() const {
    const std::lock_guard lock(mutex_);
    return closed_ && waiting_.empty();
}

std::size_t JobQueue::size() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

}  // namespace sluice::sqlite
