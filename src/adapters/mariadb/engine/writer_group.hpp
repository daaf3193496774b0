#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "adapters/mariadb/engine/link.hpp"
#include "adapters/mariadb/engine/server_settings.hpp"
#include "adapters/sql/queues.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/ledger_health.hpp"

namespace sluice::mariadb {

struct WriterOptions {
    std::size_t threads = 2;  // for purchases; one more does all other work
    std::size_t batch = 512;
    std::size_t backlog = 8'192;
    /// How often the group checks for other processes' commits and, after a failure, whether the
    /// server accepts writes again.
    std::chrono::milliseconds check_others{500};
    /// A transaction that conflicts with others is run again until this time has passed.
    std::chrono::milliseconds patience{2'500};
    const Clock* clock = nullptr;  // what triggers take for now; nullptr: the server's
    /// Called on the thread that has written, never twice at once: after each transaction, before
    /// any caller is answered, and after each try that was undone and is run again.
    std::function<void(bool committed)> after_transaction = [](bool) {};
};

/// The threads of this process that write, each with a connection. All waiting jobs are written in
/// one transaction, and no caller gets a result before the server has it on disk. Ordinary work
/// takes turns, over all processes, and is serializable; purchases lock their sales themselves, so
/// that several batches of them can be under way (docs/adr/0090).
class WriterGroup final : public sql::Writer {
  public:
    /// Throws Error when the server cannot be reached.
    WriterGroup(const ServerAddress& address, WriterOptions options);
    /// Finishes what waits.
    ~WriterGroup();

    /// Purchases wait in a queue of their own, of the same size.
    void put(std::unique_ptr<sql::Job> job) override;
    std::size_t waiting() const { return queue_.size() + tickets_.size(); }

    /// Called on one of the threads after another process has committed, or when a commit of our
    /// own may have been done without our knowing; never again once this has returned with another
    /// callback. Must not call this object.
    void on_external_change(std::function<void()> callback);

    LedgerHealth health() const;
    std::uint64_t commits() const { return commits_; }
    /// Transactions that were undone because of others, and run again.
    std::uint64_t retries() const { return retries_; }

  private:
    enum class Kind { ordinary, tickets };
    struct Worker {
        Worker(const ServerAddress& address, std::size_t place)
            : link(address, Patience{}, expect_promises_kept), number(place) {}
        Link link;
        const std::size_t number;
    };

    using Jobs = std::span<std::unique_ptr<sql::Job>>;

    void run_ordinary(Worker& worker);
    void run_tickets(Worker& worker);
    std::size_t write_batch(Worker& worker, Jobs batch, Kind kind);
    std::size_t write_transaction(Worker& worker, Jobs batch, Kind kind);
    std::size_t run_jobs(Connection& connection, Jobs batch);
    bool run_alone(Connection& connection, sql::Job& job);
    void commit(Worker& worker);
    void check_others(Worker& worker, bool idle);
    void probe(Worker& worker);
    void notice_external_change(Worker& worker);
    bool has_unknown_commit();
    void set_health(bool ok, std::string detail);

    const WriterOptions options_;
    sql::JobQueue tickets_;
    const std::int64_t process_;  // our name in the table of writers
    std::atomic<std::uint64_t> commits_ = 0;
    std::atomic<std::uint64_t> retries_ = 0;
    std::atomic<bool> in_doubt_ = false;  // a commit was cut off, and nobody has looked since

    // Used by the thread for ordinary work:
    std::int64_t others_commits_ = 0;
    std::optional<std::chrono::steady_clock::time_point> look_again_at_;
    std::chrono::steady_clock::time_point looked_around_at_;

    Mutex tell_mutex_;
    mutable Mutex health_mutex_;
    LedgerHealth health_ GUARDED_BY(health_mutex_);

    Mutex callback_mutex_;
    std::function<void()> external_change_ GUARDED_BY(callback_mutex_);

    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::mariadb
