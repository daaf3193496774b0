#include "adapters/sqlite/engine/writer.hpp"

#include <optional>

#include <pthread.h>
#include <sqlite3.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

// From 4 MiB of log on, pages are copied back into the database beside the readers. That never
// restarts the log while some read is always under way. So from 64 MiB on the writer waits for the
// readers, but only shortly: a backup may hold its snapshot for minutes, and the log grows
// meanwhile by what is written.
constexpr int kCheckpointFrames = 1'000;
constexpr int kRestartFrames = 16'000;
constexpr int kRestartPatienceMs = 20;
// When a long read has made the log longer than a restart leaves it, its space is given back as
// soon as the read is over, even when nothing is written any more.
constexpr std::uint64_t kLongLog = std::uint64_t{96} << 20;

std::int64_t read_data_version(Database& database) {
    return database.value<std::int64_t>("PRAGMA data_version");
}

}  // namespace

Writer::Writer(Database database, WriterOptions options)
    : sql::Writer(options.backlog),
      options_(std::move(options)),
      database_(std::move(database)),
      data_version_(read_data_version(database_)),
      looked_around_at_(std::chrono::steady_clock::now()) {
    sqlite3_wal_hook(
        database_.handle(),
        [](void* frames, sqlite3*, const char*, int count) {
            *static_cast<int*>(frames) = count;
            return SQLITE_OK;
        },
        &log_frames_);
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "ledger-writer");
        run();
    });
}

Writer::~Writer() {
    queue_.close();
    thread_.join();
}

void Writer::on_external_change(std::function<void()> callback) {
    const MutexLock lock(callback_mutex_);
    external_change_ = std::move(callback);
}

LedgerHealth Writer::health() const {
    const MutexLock lock(health_mutex_);
    return health_;
}

void Writer::run() {
    while (!queue_.is_finished()) {
        auto batch = queue_.take(options_.batch, options_.check_others);
        if (!batch.empty()) write_batch(batch);
        try {
            checkpoint_if_due();
            check_others(batch.empty());
        } catch (const Error& error) {
            CHECK(error.is_outage(), "the writer's own statements are valid");
            set_health(false, error.what());
        }
    }
}

void Writer::write_batch(sql::Jobs& batch) {
    std::exception_ptr failure;
    try {
        write_transaction(batch);
        std::optional<std::string> outage;
        for (const auto& job : batch)
            if (job->outage()) outage = job->outage();
        set_health(!outage, outage.value_or(""));
    } catch (const Error& error) {
        CHECK(error.is_outage(), "a batch as a whole fails only for want of the store");
        failure = outage_of(error);
        set_health(false, error.what());
    } catch (const UnknownOutcome& unknown) {
        failure = std::current_exception();
        set_health(false, unknown.what());
    }
    if (failure) roll_back();
    options_.after_transaction(!failure);
    for (auto& job : batch) job->deliver(failure);
}

void Writer::write_transaction(sql::Jobs& batch) {
    database_.run("BEGIN IMMEDIATE");
    for (auto& job : batch) {
        database_.run("SAVEPOINT job");
        if (!job->run(database_)) {
            // A full disk or a failed write may make SQLite end the whole transaction by itself;
            // then the jobs before this one are lost with it.
            if (!database_.in_transaction()) {
                const bool full = sqlite3_errcode(database_.handle()) == SQLITE_FULL;
                throw Error(full ? SQLITE_FULL : SQLITE_IOERR,
                            job->outage().value_or("the transaction was lost"));
            }
            database_.run("ROLLBACK TO job");
        }
        database_.run("RELEASE job");
    }
    commit();
}

void Writer::commit() {
    try {
        database_.run("COMMIT");
    } catch (const Error& error) {
        // The frame that makes the others valid is written last, so a disk without room for all of
        // them has nothing of the transaction. But a flush that fails may have reached the disk.
        if ((error.code() & 0xff) == SQLITE_FULL) throw;
        throw UnknownOutcome(error.what());
    }
    ++commits_;
}

void Writer::roll_back() {
    try {
        if (database_.in_transaction()) database_.run("ROLLBACK");
    } catch (const Error&) {
        // SQLite has ended the transaction even when it reports problems with undoing it.
        CHECK(!database_.in_transaction(), "a rollback ends the transaction");
    }
}

void Writer::check_others(bool idle) {
    // Under load the batches themselves show whether the disk accepts writes.
    if (idle && !health().ok) probe();
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_around_at_ < options_.check_others) return;
    looked_around_at_ = now;
    notice_external_change();
    measure_log();
    if (idle && log_bytes_ > kLongLog) cut_log();
}

void Writer::probe() {
    try {
        database_.run(statements::fill_probe);
        database_.run(statements::empty_probe);
        set_health(true, "");
    } catch (const Error& error) {
        set_health(false, error.what());
    }
}

void Writer::notice_external_change() {
    const auto version = read_data_version(database_);
    if (version == data_version_) return;
    data_version_ = version;
    const MutexLock lock(callback_mutex_);
    if (external_change_) external_change_();
}

void Writer::checkpoint_if_due() {
    if (log_frames_ < checkpointed_frames_) checkpointed_frames_ = 0;  // the log was restarted
    if (log_frames_ - checkpointed_frames_ < kCheckpointFrames) return;
    checkpointed_frames_ = log_frames_;

    // A checkpoint that fails or finds the readers busy loses nothing: the log keeps everything,
    // and the next checkpoint is due a thousand frames later. A full disk fails the next commit.
    checkpoint_with_patience(log_frames_ >= kRestartFrames ? SQLITE_CHECKPOINT_RESTART
                                                           : SQLITE_CHECKPOINT_PASSIVE);
}

void Writer::measure_log() {
    const char* name = sqlite3_filename_wal(sqlite3_db_filename(database_.handle(), "main"));
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(name, absent);
    log_bytes_ = absent ? 0 : bytes;
}

void Writer::cut_log() {
    if (checkpoint_with_patience(SQLITE_CHECKPOINT_TRUNCATE) != SQLITE_OK) return;
    log_frames_ = checkpointed_frames_ = 0;
    measure_log();
}

int Writer::checkpoint_with_patience(int mode) {
    const auto permit = options_.may_checkpoint();
    if (!permit) return SQLITE_BUSY;
    sqlite3_busy_timeout(database_.handle(), kRestartPatienceMs);
    const int code = sqlite3_wal_checkpoint_v2(database_.handle(), nullptr, mode, nullptr, nullptr);
    sqlite3_busy_timeout(database_.handle(), kBusyTimeoutMs);
    return code;
}

void Writer::set_health(bool ok, std::string detail) {
    const MutexLock lock(health_mutex_);
    health_ = LedgerHealth{ok, std::move(detail)};
}

}  // namespace sluice::sqlite
