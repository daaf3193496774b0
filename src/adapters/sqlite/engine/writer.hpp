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

#include "adapters/sql/queues.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "base/mutex.hpp"
#include "ports/ledger_health.hpp"

namespace sluice::sqlite {

/// Only its holder may checkpoint. Empty: the caller may not.
using CheckpointPermit = std::shared_ptr<const void>;

/// For a process that has the database for itself.
inline CheckpointPermit always_checkpoint() {
    return std::make_shared<char>();
}

struct WriterOptions {
    std::size_t batch = 512;
    std::size_t backlog = 8'192;
    /// How often an idle writer checks for other processes' commits and, after a failure, whether
    /// the disk accepts writes again.
    std::chrono::milliseconds check_others{500};
    /// Asked before each checkpoint; what it returns is held until the checkpoint is done. Only one
    /// connection of all processes may checkpoint at a time (docs/adr/0053).
    std::function<CheckpointPermit()> may_checkpoint = always_checkpoint;
    /// Called on the writer's thread after each transaction, before any caller is answered.
    std::function<void(bool committed)> after_transaction = [](bool) {};
};

/// The only thread of this process that writes. All waiting jobs are written in one transaction
/// with one flush (group commit), and no caller gets a result before it is on disk.
class Writer final : public sql::Writer {
  public:
    Writer(Database database, WriterOptions options);
    /// Finishes what waits.
    ~Writer();

    /// sql::Writer::write(), for work that needs SQLite's connection.
    template <class T, class Work>
    Task<T> write(Work work) {
        return sql::Writer::write<T>([work = std::move(work)](sql::Database& database) {
            return work(static_cast<Database&>(database));
        });
    }

    /// Called on the writer's thread after another process has committed; never again once this has
    /// returned with another callback. Must not call this object.
    void on_external_change(std::function<void()> callback);

    LedgerHealth health() const;
    std::uint64_t commits() const { return commits_; }

    /// The length of the log, as of the last check.
    std::uint64_t log_bytes() const { return log_bytes_; }

  private:
    void run();
    void write_batch(sql::Jobs& batch);
    void write_transaction(sql::Jobs& batch);
    void commit();
    void roll_back();
    void check_others(bool idle);
    void probe();
    void notice_external_change();
    void checkpoint_if_due();
    void measure_log();
    void cut_log();
    int checkpoint_with_patience(int mode);
    void set_health(bool ok, std::string detail);

    const WriterOptions options_;
    std::atomic<std::uint64_t> commits_ = 0;
    std::atomic<std::uint64_t> log_bytes_ = 0;

    // Used by the writer's thread only:
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
