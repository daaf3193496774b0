#include "adapters/sql/job.hpp"

#include <algorithm>
#include <iterator>

namespace sluice {

std::exception_ptr outage_of(const StoreError& error) {
    if (error.is_read_only()) return std::make_exception_ptr(ReadOnly(error.what()));
    return std::make_exception_ptr(Outage(error.what()));
}

std::exception_ptr translate_current(std::optional<std::string>& outage) {
    try {
        throw;
    } catch (const StoreError& error) {
        if (error.is_retry()) throw;
        if (!error.is_outage()) return std::current_exception();
        outage = error.what();
        return outage_of(error);
    } catch (...) {
        return std::current_exception();
    }
}

}  // namespace sluice

namespace sluice::sql {

void JobQueue::put(std::unique_ptr<Job> job) {
    std::exception_ptr refused;
    {
        const MutexLock lock(mutex_);
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
    const auto deadline = std::chrono::steady_clock::now() + patience;
    const MutexLock lock(mutex_);
    while (!closed_ && waiting_.empty() && changed_.wait_until(mutex_, deadline)) continue;
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    const auto end = waiting_.begin() + count;
    Jobs jobs(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return jobs;
}

void JobQueue::close() {
    {
        const MutexLock lock(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
}

bool JobQueue::is_finished() const {
    const MutexLock lock(mutex_);
    return closed_ && waiting_.empty();
}

std::size_t JobQueue::size() const {
    const MutexLock lock(mutex_);
    return waiting_.size();
}

}  // namespace sluice::sql
