#include "adapters/sqlite/engine/connection.hpp"

#include <chrono>
#include <cstring>
#include <thread>

#include <sqlite3.h>

#include "adapters/sql/rows.hpp"
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

sqlite3_destructor_type lifetime(sql::Keep keep) {
    return keep == sql::Keep::borrowed ? SQLITE_STATIC : SQLITE_TRANSIENT;
}

const char* name_of(int type) {
    switch (type) {
        case SQLITE_INTEGER:
            return "a number";
        case SQLITE_FLOAT:
            return "a fraction";
        case SQLITE_TEXT:
            return "a text";
        case SQLITE_BLOB:
            return "a blob";
        default:
            return "NULL";
    }
}

// A log that grew during a long read is cut back to 64 MiB at its next restart.
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

/// SQLite does not wait by itself for processes that are just opening a new database.
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

Prepared::Prepared(sqlite3& database, std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    expect_ok(sqlite3_prepare_v3(&database, sql.data(), static_cast<int>(sql.size()),
                                 SQLITE_PREPARE_PERSISTENT, &statement, nullptr),
              &database, "SQLite");
    handle_.reset(statement);
}

void Prepared::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void Prepared::bind(int index, std::nullopt_t) {
    expect_bound(sqlite3_bind_null(handle_.get(), index));
}

void Prepared::bind(int index, std::int64_t number) {
    expect_bound(sqlite3_bind_int64(handle_.get(), index, number));
}

void Prepared::bind(int index, std::string_view text, sql::Keep keep) {
    // A null pointer would bind NULL instead of an empty text.
    const char* data = text.data() ? text.data() : "";
    expect_bound(
        sqlite3_bind_text64(handle_.get(), index, data, text.size(), lifetime(keep), SQLITE_UTF8));
}

void Prepared::bind(int index, Bytes bytes, sql::Keep keep) {
    // As above.
    const void* data = bytes.data() ? static_cast<const void*>(bytes.data()) : "";
    expect_bound(sqlite3_bind_blob64(handle_.get(), index, data, bytes.size(), lifetime(keep)));
}

void Prepared::bind_row(const Prepared& row) {
    for (int i = 0; i < row.columns(); ++i)
        expect_bound(
            sqlite3_bind_value(handle_.get(), i + 1, sqlite3_column_value(&row.handle(), i)));
}

void Prepared::expect_bound(int code) {
    expect_ok(code, sqlite3_db_handle(handle_.get()), "bind");
}

bool Prepared::step() {
    const int code = sqlite3_step(handle_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    fail(sqlite3_db_handle(handle_.get()), "SQLite");
}

std::size_t Prepared::finish() {
    auto* database = sqlite3_db_handle(handle_.get());
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) code = sqlite3_step(handle_.get());
    // Reset keeps the error's code and text.
    sqlite3_reset(handle_.get());
    if (code != SQLITE_DONE) fail(database, "SQLite");
    return static_cast<std::size_t>(sqlite3_changes64(database));
}

void Prepared::reset() noexcept {
    // What reset returns is the error that step() has thrown already.
    sqlite3_reset(handle_.get());
    sqlite3_clear_bindings(handle_.get());
}

bool Prepared::is_busy() const {
    return sqlite3_stmt_busy(handle_.get()) != 0;
}

std::string_view Prepared::sql() const {
    return sqlite3_sql(handle_.get());
}

int Prepared::columns() const {
    return sqlite3_column_count(handle_.get());
}

bool Prepared::is_null(int column) const {
    return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::int64_t Prepared::number(int column) const {
    expect_type(column, SQLITE_INTEGER);
    return sqlite3_column_int64(handle_.get(), column);
}

std::string_view Prepared::text(int column) const {
    expect_type(column, SQLITE_TEXT);
    const auto bytes = read_bytes(column);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes Prepared::bytes(int column) const {
    expect_type(column, SQLITE_BLOB);
    return read_bytes(column);
}

std::string Prepared::describe(int column) const {
    return std::string("column ") + sqlite3_column_name(handle_.get(), column) + " of " +
           sqlite3_sql(handle_.get());
}

void Prepared::expect_type(int column, int type) const {
    const int actual = sqlite3_column_type(handle_.get(), column);
    if (actual == type) return;
    throw RowError(describe(column) + ": " + name_of(actual) + " where " + name_of(type) +
                   " is expected");
}

Bytes Prepared::read_bytes(int column) const {
    const auto* data =
        static_cast<const unsigned char*>(sqlite3_column_blob(handle_.get(), column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
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
    // Only the server's writer checkpoints, by itself and after its callers were answered
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

bool Database::look_again() {
    if (sqlite3_txn_state(handle(), "main") == SQLITE_TXN_WRITE) return false;
    if (in_transaction()) {
        run("ROLLBACK");
        run("BEGIN");
    }
    return true;
}

Prepared& Database::prepared(std::string_view sql) {
    auto found = statements_.find(sql);
    if (found == statements_.end())
        found = statements_.try_emplace(std::string(sql), *handle(), sql).first;
    return found->second;
}

}  // namespace sluice::sqlite
