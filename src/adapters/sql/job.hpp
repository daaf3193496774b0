#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <expected>
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

/// What callers of a port get for an error that is an outage.
std::exception_ptr outage_of(const StoreError& error);

/// What callers of a port get for the present exception: an Outage for a StoreError that is one,
/// whose text is then stored in `outage`, and otherwise the exception itself. Rethrows a StoreError
/// after which the whole transaction has to be run again.
std::exception_ptr translate_current(std::optional<std::string>& outage);

template <class T>
inline constexpr bool kCanRefuse = false;
template <class T, class E>
inline constexpr bool kCanRefuse<std::expected<T, E>> = true;

}  // namespace sluice

namespace sluice::sql {

class Database;

/// Work for one of the ledger's threads, and its caller. The database is that thread's connection.
class Job {
  public:
    virtual ~Job() = default;

    /// Runs the work and keeps its outcome. False when everything that it wrote has to be undone,
    /// because it failed or refused. Throws only a StoreError that is_retry(): then the transaction
    /// is gone, and every job of it is run again.
    bool run(Database& database) {
        outage_.reset();
        return attempt(database);
    }

    /// Tells the caller, once: the outcome, or `failure` if it is set. The failure is an Overload,
    /// or an Outage that left nothing behind unless it is an UnknownOutcome.
    virtual void deliver(std::exception_ptr failure) = 0;

    /// Whether it locks the rows that it reads, in the same order as all such jobs. Then an engine
    /// that writes in several threads need not separate it from others.
    virtual bool locks_by_itself() const { return false; }

    /// Why the store could not do it, if run() has found that.
    const std::optional<std::string>& outage() const { return outage_; }

  protected:
    std::exception_ptr translate_current() { return sluice::translate_current(outage_); }

  private:
    /// The work of run(). It may be called more than once; only the last time counts.
    virtual bool attempt(Database&) = 0;

    std::optional<std::string> outage_;
};

using Jobs = std::vector<std::unique_ptr<Job>>;

/// The queue between the event loops and the ledger's threads; bounded.
class JobQueue {
  public:
    explicit JobQueue(std::size_t bound) : bound_(bound) {}

    /// A job that finds no room is told Overload, one that comes after close() is told Outage.
    void put(std::unique_ptr<Job> job);

    /// Takes up to `most` of the jobs that wait; none when nothing came in time or the queue is
    /// finished.
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

template <class T, class Work, bool kLocksByItself = false>
class TypedJob final : public Job {
  public:
    TypedJob(Work work, Completion<T> tell) : work_(std::move(work)), tell_(std::move(tell)) {}

    /// Keeps nothing of it: the caller may already be running on another thread.
    void deliver(std::exception_ptr failure) override {
        if (!failure) failure = std::exchange(error_, nullptr);
        T result = failure ? T{} : std::move(result_);
        tell_(std::move(failure), std::move(result));
    }

    bool locks_by_itself() const override { return kLocksByItself; }

  private:
    bool attempt(Database& database) override {
        error_ = nullptr;
        try {
            result_ = work_(database);
        } catch (...) {
            error_ = translate_current();
            return false;
        }
        if constexpr (kCanRefuse<T>) return result_.has_value();
        return true;
    }

    const Work work_;  // const, so that it cannot use up its captures and can be run again
    Completion<T> tell_;
    T result_{};
    std::exception_ptr error_;
};

/// Awaits work(database), done by whoever takes from the queue.
template <class T, class Work>
Task<T> await_job(JobQueue& queue, Work work) {
    auto start = [&queue, work = std::move(work)](Completion<T> tell) mutable {
        queue.put(std::make_unique<TypedJob<T, Work>>(std::move(work), std::move(tell)));
    };
    return await_completion<T>(std::move(start));
}

}  // namespace sluice::sql
