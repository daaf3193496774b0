#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "adapters/sqlite/engine/job.hpp"
#include "base/mutex.hpp"
#include "ports/ledger_health.hpp"

namespace sluice::sqlite {

/// Whoever has one is the only one to checkpoint. Empty: whoever asked may not.
using CheckpointPermit = std::shared_ptr<const void>;

/// For whoever has the database for itself.
inline CheckpointPermit always_checkpoint() {
    return std::make_shared<char>();
}

struct WriterOptions {
    std::size_t batch = 512;
    std::size_t backlog = 8'192;
    /// How often an idle writer looks for other processes' commits and, after a failure, tries
    /// whether the disk takes writes again.
    std::chrono::milliseconds look_around{500};
    /// Asked before each checkpoint; what it returns is held until the checkpoint is done. Only one
    /// connection of all processes may checkpoint at a time (docs/adr/0053).
    std::function<CheckpointPermit()> may_checkpoint = always_checkpoint;
    /// Called on the writer's thread after each transaction, before anybody is told of it.
    std::function<void(bool committed)> after_transaction = [](bool) {};
};

/// The only thread of this process that writes. Whatever waits is written in one transaction
/// with one flush (group commit), and nobody is told of a result before it is on disk.
class Writer {
  public:
    Writer(Database database, WriterOptions options);
    /// Finishes what waits.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Awaits work(database), run inside the transaction and undone when it throws or refuses; a
    /// job that fails takes no other with it. Throws Outage when the store failed (ReadOnly when
    /// only writing did, UnknownOutcome when the commit did), Overload when the backlog is full.
    template <class T, class Work>
    Task<T> write(Work work) {
        return await_job<T>(queue_, std::move(work));
    }

    /// As write(), for a job that tells its callers by itself.
    void put(std::unique_ptr<Job> job) { queue_.put(std::move(job)); }

    /// Called on the writer's thread after another process has committed; never again once this
    /// has returned with another callback. Must not call this.
    void on_external_change(std::function<void()> callback);

    LedgerHealth health() const;
    std::size_t waiting() const { return queue_.size(); }
    std::uint64_t commits() const { return commits_; }

    /// Of the log, as of the last look around.
    std::uint64_t log_bytes() const { return log_bytes_; }

  private:
    void run();
    void write_batch(Jobs& batch);
    void write_transaction(Jobs& batch);
    void commit();
    void roll_back();
    void look_around(bool idle);
    void probe();
    void notice_external_change();
    void checkpoint_if_due();
    void measure_log();
    void cut_log();
    int checkpoint_with_patience(int mode);
    void set_health(bool ok, std::string detail);

    const WriterOptions options_;
    JobQueue queue_;
    std::atomic<std::uint64_t> commits_ = 0;
    std::atomic<std::uint64_t> log_bytes_ = 0;

    // The writer thread's own:
    Database database_;
    std::int64_t data_version_ = 0;
    std::chrono::steady_clock::time_point looked_around_at_;
    int log_frames_ = 0;
    int checkpointed_frames_ = 0;

    mutable Mutex health_mutex_;
    LedgerHealth health_ GUARDED_BY(health_mutex_);

    Mutex callback_mutex_;
    std::function<void()> external_change_ GUARDED_BY(callback_mutex_);

    std::thread thread_;
};

}  // namespace sluice::sqlite
