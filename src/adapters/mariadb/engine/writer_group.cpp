#include "adapters/mariadb/engine/writer_group.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include <pthread.h>

#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/sql/rows.hpp"
#include "base/check.hpp"
#include "base/outage.hpp"
#include "base/retry.hpp"

namespace sluice::mariadb {
namespace {

using namespace std::chrono_literals;

constexpr Backoff kAgain{.first = 4ms, .longest = 250ms};
/// Other writers wait for their turn, and purchases for rows that a turn has locked.
constexpr auto kTurn = 100ms;

const RetryTools& real_tools() {
    static const RetryTools tools{.now = [] { return std::chrono::steady_clock::now(); },
                                  .sleep = [](auto pause) { std::this_thread::sleep_for(pause); },
                                  .chance = chance};
    return tools;
}

/// Positive, and different from that of any other process.
std::int64_t make_process_number() {
    std::random_device random;
    const auto high = static_cast<std::int64_t>(random() >> 1);
    return (high << 32) | random();
}

std::int64_t count_commits_of_others(Connection& connection, std::int64_t process) {
    return connection.value<std::int64_t>(own::count_commits_of_others, process);
}

}  // namespace

WriterGroup::WriterGroup(const ServerAddress& address, WriterOptions options)
    : sql::Writer(options.backlog),
      options_(std::move(options)),
      tickets_(options_.backlog),
      process_(make_process_number()),
      looked_around_at_(std::chrono::steady_clock::now()) {
    for (std::size_t i = 0; i <= options_.threads; ++i)
        workers_.push_back(std::make_unique<Worker>(address, i));
    auto& first = workers_.front()->link.open();
    first.run(own::forget_old_writers);
    others_commits_ = count_commits_of_others(first, process_);
    for (auto& worker : workers_)
        threads_.emplace_back([this, &worker = *worker] {
            const auto name = "ledger-write-" + std::to_string(worker.number);
            pthread_setname_np(pthread_self(), name.c_str());
            worker.number == 0 ? run_ordinary(worker) : run_tickets(worker);
        });
}

WriterGroup::~WriterGroup() {
    queue_.close();
    tickets_.close();
    for (auto& thread : threads_) thread.join();
}

void WriterGroup::put(std::unique_ptr<sql::Job> job) {
    (job->locks_by_itself() ? tickets_ : queue_).put(std::move(job));
}

void WriterGroup::on_external_change(std::function<void()> callback) {
    const MutexLock lock(callback_mutex_);
    external_change_ = std::move(callback);
}

LedgerHealth WriterGroup::health() const {
    const MutexLock lock(health_mutex_);
    return health_;
}

void WriterGroup::set_health(bool ok, std::string detail) {
    const MutexLock lock(health_mutex_);
    health_ = LedgerHealth{ok, std::move(detail)};
}

void WriterGroup::run_ordinary(Worker& worker) {
    while (!queue_.is_finished()) {
        auto batch = queue_.take(options_.batch, options_.check_others);
        for (std::size_t done = 0; done < batch.size();)
            done += write_batch(worker, std::span(batch).subspan(done), Kind::ordinary);
        check_others(worker, batch.empty());
    }
}

void WriterGroup::run_tickets(Worker& worker) {
    // One job takes all waiting tickets, so there is nothing to gather.
    while (!tickets_.is_finished())
        for (auto& job : tickets_.take(1, std::chrono::minutes{1}))
            write_batch(worker, {&job, 1}, Kind::tickets);
}

/// Writes the first of these jobs, as many as fit into the time of one turn; returns how many.
std::size_t WriterGroup::write_batch(Worker& worker, Jobs batch, Kind kind) {
    std::exception_ptr failure;
    std::optional<std::size_t> written;
    try {
        written = retry(kAgain, options_.patience, real_tools(),
                        [&] { return write_transaction(worker, batch, kind); });
        std::optional<std::string> outage;
        for (const auto& job : batch.first(*written))
            if (job->outage()) outage = job->outage();
        set_health(!outage, outage.value_or(""));
    } catch (const Error& error) {
        failure = outage_of(error);
        set_health(false, error.what());
    } catch (const Outage& outage) {
        failure = std::current_exception();
        set_health(false, outage.what());
    }
    if (failure) worker.link.connection().roll_back();
    // In any order: a sale's news is numbered, and older news is ignored.
    const MutexLock lock(tell_mutex_);
    options_.after_transaction(!failure);
    const auto done = written.value_or(batch.size());
    for (auto& job : batch.first(done)) job->deliver(failure);
    return done;
}

std::size_t WriterGroup::write_transaction(Worker& worker, Jobs batch, Kind kind) {
    std::optional<std::int64_t> now;
    if (options_.clock) now = to_millis(options_.clock->now());
    try {
        // Whoever locks the row of the turn first is first; the others wait for the commit.
        auto& connection = worker.link.open_with([&](Connection& opened) {
            if (kind == Kind::tickets)
                opened.begin("READ COMMITTED", now, "");
            else
                opened.begin("SERIALIZABLE", now, own::take_turn);
        });
        const auto done = run_jobs(connection, batch);
        if (connection.in_transaction()) commit(worker);
        return done;
    } catch (const Error& error) {
        if (!error.is_retry()) throw;
        ++retries_;
        worker.link.connection().roll_back();
        const MutexLock lock(tell_mutex_);
        options_.after_transaction(false);
        throw Retry(error.what());
    }
}

std::size_t WriterGroup::run_jobs(Connection& connection, Jobs batch) {
    if (batch.size() == 1) {
        if (!run_alone(connection, *batch.front())) connection.roll_back();
        return 1;
    }
    const auto deadline = std::chrono::steady_clock::now() + kTurn;
    std::size_t done = 0;
    for (auto& job : batch) {
        connection.run("SAVEPOINT job");
        if (!run_alone(connection, *job)) connection.run("ROLLBACK TO SAVEPOINT job");
        connection.run("RELEASE SAVEPOINT job");
        ++done;
        if (std::chrono::steady_clock::now() > deadline) break;
    }
    return done;
}

/// Throws when the job has lost the transaction, and with it the jobs before it.
bool WriterGroup::run_alone(Connection& connection, sql::Job& job) {
    const bool done = job.run(connection);
    if (!connection.in_transaction())
        throw Outage(job.outage().value_or("the transaction was lost"));
    return done;
}

void WriterGroup::commit(Worker& worker) {
    auto& connection = worker.link.connection();
    connection.run(own::note_commit, process_, worker.number);
    try {
        connection.run_script("COMMIT");
    } catch (const Error& error) {
        // A server that refuses to write has undone it. Otherwise it may have been done.
        if (error.is_retry() || error.is_read_only()) throw;
        in_doubt_ = true;
        throw UnknownOutcome(error.what());
    }
    ++commits_;
}

void WriterGroup::check_others(Worker& worker, bool idle) {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_around_at_ < options_.check_others) return;
    looked_around_at_ = now;
    try {
        // Under load the batches themselves show whether the server accepts writes.
        if (idle && !health().ok) probe(worker);
        notice_external_change(worker);
    } catch (const Error& error) {
        set_health(false, error.what());
    }
}

void WriterGroup::probe(Worker& worker) {
    worker.link.open_with([](Connection& connection) { connection.run(own::fill_probe); });
    worker.link.connection().run(own::empty_probe);
    set_health(true, "");
}

/// A commit of ours that was cut off counts as one of others, because its news was never told. The
/// server may also carry it out later, until it ends the transaction of a silent connection.
bool WriterGroup::has_unknown_commit() {
    const auto now = std::chrono::steady_clock::now();
    if (in_doubt_.exchange(false)) {
        look_again_at_ = now + Patience{}.idle;
        return true;
    }
    if (!look_again_at_ || now < *look_again_at_) return false;
    look_again_at_.reset();
    return true;
}

void WriterGroup::notice_external_change(Worker& worker) {
    std::int64_t commits = 0;
    worker.link.open_with(
        [&](Connection& connection) { commits = count_commits_of_others(connection, process_); });
    const bool doubtful = has_unknown_commit();
    if (commits == others_commits_ && !doubtful) return;
    others_commits_ = commits;
    const MutexLock lock(callback_mutex_);
    if (external_change_) external_change_();
}

}  // namespace sluice::mariadb
