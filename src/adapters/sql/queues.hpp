#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "adapters/sql/database.hpp"
#include "adapters/sql/job.hpp"

namespace sluice::sql {

/// The interface of an engine's writing threads for the ledgers.
class Writer {
  public:
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Awaits work(database), which runs inside a transaction and is undone when it throws or
    /// refuses; a job that fails does not affect others. If the store has undone the transaction,
    /// the engine may run the job again, so `work` must not use up its captures. Throws Outage when
    /// the store failed (ReadOnly when only writing did, UnknownOutcome when the commit did),
    /// Overload when the backlog is full.
    template <class T, class Work>
    Task<T> write(Work work) {
        return await_job<T>(queue_, std::move(work));
    }

    /// As write(), for work that locks the rows of its sales first, in the order of their ids.
    /// Where several threads write, it does not wait for the turn of all other work.
    template <class T, class Work>
    Task<T> write_locking(Work work) {
        auto start = [this, work = std::move(work)](Completion<T> tell) mutable {
            put(std::make_unique<TypedJob<T, Work, true>>(std::move(work), std::move(tell)));
        };
        return await_completion<T>(std::move(start));
    }

    /// As write(), for a job that tells its callers by itself.
    virtual void put(std::unique_ptr<Job> job) { queue_.put(std::move(job)); }

    std::size_t waiting() const { return queue_.size(); }

  protected:
    explicit Writer(std::size_t backlog) : queue_(backlog) {}
    ~Writer() = default;

    JobQueue queue_;
};

/// The interface of an engine's reading threads for the ledgers. A read sees everything that any
/// caller was told to be written when the read began, all from one instant.
class Readers {
  public:
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;

    /// Awaits work(database). Throws Outage or Overload.
    template <class T, class Work>
    Task<T> read(Work work) {
        return await_job<T>(queue_, std::move(work));
    }

  protected:
    explicit Readers(std::size_t backlog) : queue_(backlog) {}
    ~Readers() = default;

    JobQueue queue_;
};

}  // namespace sluice::sql
