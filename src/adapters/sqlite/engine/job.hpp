#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/sqlite/engine/connection.hpp"
#include "base/outage.hpp"
#include "base/task.hpp"

namespace sluice::sqlite {

/// Work for one of the ledger's threads, and whom to tell.
class Job {
  public:
    virtual ~Job() = default;

    /// Carries it out and keeps what came of it. False when whatever it wrote has to be taken
    /// back: it failed, or it ended in a refusal.
    virtual bool run(Database&) = 0;

    /// Tells the caller, once: what came of it, or `failure` when that is not to be. The failure is
    /// an Overload, or an Outage that left nothing behind unless it is an UnknownOutcome.
    virtual void deliver(std::exception_ptr failure) = 0;

    /// Why the store could not do it, when that is what run() met.
    const std::optional<std::string>& outage() const { return outage_; }

  protected:
    /// What the port's callers get for the exception under way.
    std::exception_ptr translate_current();

  private:
    std::optional<std::string> outage_;
};

using Jobs = std::vector<std::unique_ptr<Job>>;

/// Between the event loops and the ledger's threads; bounded.
class JobQueue {
  public:
    explicit JobQueue(std::size_t bound) : bound_(bound) {}

    /// A job that finds no room is told Overload, one that comes after close() Outage.
    void put(std::unique_ptr<Job>);

    /// Whatever waits, up to `most`; none when nothing came in time or the queue is finished.
    Jobs take(std::size_t most, std::chrono::milliseconds patience);

    void close();
    bool is_finished() const;  // closed, and nothing waits
    std::size_t size() const;

  private:
    const std::size_t bound_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    // Protected by mutex_:
    std::deque<std::unique_ptr<Job>> waiting_;
    bool closed_ = false;
};

template <class T>
inline constexpr bool kCanRefuse = false;
template <class T, class E>
inline constexpr bool kCanRefuse<std::expected<T, E>> = true;

template <class T, class Work>
class TypedJob final : public Job {
  public:
    TypedJob(Work work, Completion<T> tell) : work_(std::move(work)), tell_(std::move(tell)) {}

    bool run(Database& database) override {
        try {
            result_ = work_(database);
        } catch (...) {
            error_ = translate_current();
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
template <class T, class Work>
Task<T> await_job(JobQueue& queue, Work work) {
    auto start = [&queue, work = std::move(work)](Completion<T> tell) mutable {
        queue.put(std::make_unique<TypedJob<T, Work>>(std::move(work), std::move(tell)));
    };
    return await_completion<T>(std::move(start));
}

}  // namespace sluice::sqlite
