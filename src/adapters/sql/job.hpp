#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <expected>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/sql/store_error.hpp"
#include "base/condition.hpp"
#include "base/mutex.hpp"
#include "base/outage.hpp"
#include "base/task.hpp"

namespace sluice {

/// What the port's callers get for an error that is an outage.
std::exception_ptr outage_of(const StoreError& error);

/// What the port's callers get for the exception under way: an Outage for a StoreError that is one,
/// whose text is then in `outage`, and else the exception itself.
std::exception_ptr translate_current(std::optional<std::string>& outage);

/// Work for one of the ledger's threads, and whom to tell. `Database` is that thread's connection.
template <class Database>
class LedgerJob {
  public:
    virtual ~LedgerJob() = default;

    /// Carries it out and keeps what came of it. False when whatever it wrote has to be taken
    /// back: it failed, or it ended in a refusal.
    virtual bool run(Database&) = 0;

    /// Tells the caller, once: what came of it, or `failure` when that is not to be. The failure is
    /// an Overload, or an Outage that left nothing behind unless it is an UnknownOutcome.
    virtual void deliver(std::exception_ptr failure) = 0;

    /// Whether it locks the rows that it reads, in an order that all such jobs keep to. An engine
    /// that writes in several threads then need not keep it apart from others.
    virtual bool locks_by_itself() const { return false; }

    /// Why the store could not do it, when that is what run() met.
    const std::optional<std::string>& outage() const { return outage_; }

  protected:
    std::exception_ptr translate_current() { return sluice::translate_current(outage_); }

  private:
    std::optional<std::string> outage_;
};

template <class Database>
using LedgerJobs = std::vector<std::unique_ptr<LedgerJob<Database>>>;

/// Between the event loops and the ledger's threads; bounded.
template <class Database>
class LedgerJobQueue {
  public:
    using Job = LedgerJob<Database>;
    using Jobs = LedgerJobs<Database>;

    explicit LedgerJobQueue(std::size_t bound) : bound_(bound) {}

    /// A job that finds no room is told Overload, one that comes after close() Outage.
    void put(std::unique_ptr<Job> job);

    /// Whatever waits, up to `most`; none when nothing came in time or the queue is finished.
    Jobs take(std::size_t most, std::chrono::milliseconds patience);

    void close();
    bool is_finished() const;  // closed, and nothing waits
    std::size_t size() const;

  private:
    const std::size_t bound_;
    mutable Mutex mutex_;
    Condition changed_;
    std::deque<std::unique_ptr<Job>> waiting_ GUARDED_BY(mutex_);
    bool closed_ GUARDED_BY(mutex_) = false;
};

template <class T>
inline constexpr bool kCanRefuse = false;
template <class T, class E>
inline constexpr bool kCanRefuse<std::expected<T, E>> = true;

template <class Database, class T, class Work>
class TypedLedgerJob final : public LedgerJob<Database> {
  public:
    TypedLedgerJob(Work work, Completion<T> tell)
        : work_(std::move(work)), tell_(std::move(tell)) {}

    bool run(Database& database) override {
        try {
            result_ = work_(database);
        } catch (...) {
            error_ = this->translate_current();
            return false;
        }
        if constexpr (kCanRefuse<T>) return result_.has_value();
        return true;
    }

    void deliver(std::exception_ptr failure) override {
        if (!failure) failure = error_;
        tell_(failure, failure ? T{} : std::move(result_));
    }

  private:
    Work work_;
    Completion<T> tell_;
    T result_{};
    std::exception_ptr error_;
};

/// Awaits work(database), done by whoever takes from the queue.
template <class T, class Database, class Work>
Task<T> await_job(LedgerJobQueue<Database>& queue, Work work) {
    auto start = [&queue, work = std::move(work)](Completion<T> tell) mutable {
        using Job = TypedLedgerJob<Database, T, Work>;
        queue.put(std::make_unique<Job>(std::move(work), std::move(tell)));
    };
    return await_completion<T>(std::move(start));
}

template <class Database>
void LedgerJobQueue<Database>::put(std::unique_ptr<Job> job) {
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

template <class Database>
LedgerJobs<Database> LedgerJobQueue<Database>::take(std::size_t most,
                                                    std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    const MutexLock lock(mutex_);
    while (!closed_ && waiting_.empty() && changed_.wait_until(mutex_, deadline)) continue;
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    const auto end = waiting_.begin() + count;
    Jobs jobs(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return jobs;
}

template <class Database>
void LedgerJobQueue<Database>::close() {
    {
        const MutexLock lock(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
}

template <class Database>
bool LedgerJobQueue<Database>::is_finished() const {
    const MutexLock lock(mutex_);
    return closed_ && waiting_.empty();
}

template <class Database>
std::size_t LedgerJobQueue<Database>::size() const {
    const MutexLock lock(mutex_);
    return waiting_.size();
}

}  // namespace sluice
