#include "adapters/sqlite/engine/connection.hpp"

#include <chrono>
#include <cstring>
#include <thread>

#include <sqlite3.h>

#include "adapters/sqlite/engine/rows.hpp"
#include "adapters/sqlite/engine/trail_chain.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

[[noreturn]] void fail(sqlite3* handle, const std::string& doing) {
    throw Error(sqlite3_extended_errcode(handle), doing + ": " + sqlite3_errmsg(handle));
}

void expect_ok(int code, sqlite3* handle, const char* doing) {
    if (code != SQLITE_OK) fail(handle, doing);
}

sqlite3_destructor_type lifetime(Binder::Keep keep) {
    return keep == Binder::Keep::borrowed ? SQLITE_STATIC : SQLITE_TRANSIENT;
}

// A log that had to grow during a long read is cut back to 64 MiB at its next restart.
constexpr std::string_view kWriterPragmas = R"(
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -16384;
    PRAGMA synchronous = FULL;
    PRAGMA journal_size_limit = 67108864;
)";

bool try_enter_wal(Database& database) {
    try {
        if (database.row<std::string>("PRAGMA journal_mode = WAL") == "wal") return true;
    } catch (const Error& error) {
        if ((error.code() & 0xff) == SQLITE_BUSY) return false;
        throw;
    }
    throw Error(SQLITE_CANTOPEN, "the filesystem cannot hold a write-ahead log");
}

/// SQLite does not wait by itself for others who are just opening a new database.
void enter_wal(Database& database) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds{kBusyTimeoutMs};
    while (!try_enter_wal(database)) {
        if (std::chrono::steady_clock::now() >= deadline)
            throw Error(SQLITE_BUSY, "the database is locked");
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
}

}  // namespace

bool Error::is_outage() const {
    switch (code_ & 0xff) {
        case SQLITE_PERM:
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_NOMEM:
        case SQLITE_READONLY:
        case SQLITE_INTERRUPT:
        case SQLITE_IOERR:
        case SQLITE_CORRUPT:
        case SQLITE_FULL:
        case SQLITE_CANTOPEN:
        case SQLITE_PROTOCOL:
        case SQLITE_NOTADB:
            return true;
        default:
            return false;
    }
}

bool Error::is_read_only() const {
    const int code = code_ & 0xff;
    return code == SQLITE_READONLY || code == SQLITE_FULL;
}

void Binder::bind(std::nullopt_t) {
    expect_ok(sqlite3_bind_null(&handle_, ++index_), sqlite3_db_handle(&handle_), "bind");
}

void Binder::bind(std::int64_t number) {
    expect_ok(sqlite3_bind_int64(&handle_, ++index_, number), sqlite3_db_handle(&handle_), "bind");
}

void Binder::bind(std::string_view text) {
    // A null pointer would bind NULL instead of an empty text.
    const char* data = text.data() ? text.data() : "";
    expect_ok(
        sqlite3_bind_text64(&handle_, ++index_, data, text.size(), lifetime(keep_), SQLITE_UTF8),
        sqlite3_db_handle(&handle_), "bind");
}

void Binder::bind(Bytes bytes) {
    expect_ok(sqlite3_bind_blob64(&handle_, ++index_, bytes.data(), bytes.size(), lifetime(keep_)),
              sqlite3_db_handle(&handle_), "bind");
}

Statement::~Statement() {
    // What reset returns is the error that step() has thrown already.
    sqlite3_reset(&handle_);
    sqlite3_clear_bindings(&handle_);
}

bool Statement::step() {
    const int code = sqlite3_step(&handle_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    fail(sqlite3_db_handle(&handle_), "SQLite");
}

std::size_t Repeated::finish() {
    auto* database = sqlite3_db_handle(&handle_);
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) code = sqlite3_step(&handle_);
    // Reset keeps the error's code and text.
    sqlite3_reset(&handle_);
    if (code != SQLITE_DONE) fail(database, "SQLite");
    return static_cast<std::size_t>(sqlite3_changes64(database));
}

std::size_t Repeated::run_row(const Statement& row) {
    auto& source = row.handle();
    for (int i = 0; i < sqlite3_column_count(&source); ++i)
        expect_ok(sqlite3_bind_value(&handle_, i + 1, sqlite3_column_value(&source, i)),
                  sqlite3_db_handle(&handle_), "bind");
    return finish();
}

Database Database::open_writer(const std::filesystem::path& file) {
    Database database(file, SQLITE_OPEN_READWRITE);
    enter_wal(database);
    database.run_script(kWriterPragmas);
    return database;
}

Database Database::open_reader(const std::filesystem::path& file) {
    return Database(file, SQLITE_OPEN_READONLY);
}

Database Database::open_bare(const std::filesystem::path& file) {
    return Database(file, SQLITE_OPEN_READWRITE);
}

Database::Database(const std::filesystem::path& file, int flags) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    handle_.reset(opened);
    if (code != SQLITE_OK) {
        const int reason = opened ? sqlite3_system_errno(opened) : 0;
        throw Error(code, "cannot open " + file.string() + ": " +
                              (reason ? std::strerror(reason) : sqlite3_errstr(code)));
    }
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, kBusyTimeoutMs);
    // Only the server's writer checkpoints, by itself and after its callers have been told
    // (docs/adr/0053). Whoever closes the database last still writes the log back, alone.
    sqlite3_wal_autocheckpoint(opened, 0);
    add_deed_hash(opened);
}

void Database::run_script(std::string_view sql) {
    const std::string terminated(sql);
    expect_ok(sqlite3_exec(handle(), terminated.c_str(), nullptr, nullptr, nullptr), handle(),
              "SQLite");
}

bool Database::in_transaction() const {
    return sqlite3_get_autocommit(handle()) == 0;
}

void Database::Close::operator()(sqlite3* handle) const {
    CHECK(sqlite3_close(handle) == SQLITE_OK, "a connection outlives its statements");
}

void Database::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

sqlite3_stmt& Database::prepared(std::string_view sql) {
    auto found = statements_.find(sql);
    if (found == statements_.end()) {
        sqlite3_stmt* statement = nullptr;
        expect_ok(sqlite3_prepare_v3(handle(), sql.data(), static_cast<int>(sql.size()),
                                     SQLITE_PREPARE_PERSISTENT, &statement, nullptr),
                  handle(), "SQLite");
        found = statements_.emplace(sql, statement).first;
    }
    CHECK(!sqlite3_stmt_busy(found->second.get()), "a statement is used once at a time");
    return *found->second;
}

std::size_t Database::finish(Statement&& statement) {
    while (statement.step()) {
    }
    return static_cast<std::size_t>(sqlite3_changes64(handle()));
}

}  // namespace sluice::sqlite
