#include "adapters/mariadb/engine/connection.hpp"

#include <utility>

#include <errmsg.h>

#include "base/check.hpp"

namespace sluice::mariadb {
namespace {

// The connection's collation is used for comparing two texts of ours; columns have their own. With
// this sql_mode a text means the same as in SQLite (docs/adr/0096). @sluice_program: the triggers
// of the audit trail accept deeds from us.
constexpr std::string_view kSession =
    "SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin; "
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,"
    "NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,SIMULTANEOUS_ASSIGNMENT,"
    "ERROR_FOR_DIVISION_BY_ZERO', "
    "time_zone = '+00:00', autocommit = 1, foreign_key_checks = 1, unique_checks = 1, "
    "check_constraint_checks = 1, @sluice_program = 1, ";

unsigned seconds(std::chrono::seconds time) {
    return static_cast<unsigned>(time.count());
}

const char* or_null(const std::string& text) {
    return text.empty() ? nullptr : text.c_str();
}

}  // namespace

std::string ServerAddress::text() const {
    if (!socket.empty()) return "mariadb://localhost/" + database + "?socket=" + socket;
    return "mariadb://" + host + ":" + std::to_string(port) + "/" + database;
}

Connection::Connection(ServerAddress address, Patience patience)
    : address_(std::move(address)), patience_(patience) {}

Connection::~Connection() {
    disconnect();
}

void Connection::disconnect() {
    statements_.clear();
    handle_.reset();
}

void Connection::fail(std::string_view doing) {
    const Error error(mysql_errno(handle_.get()),
                      std::string(doing) + ": " + mysql_error(handle_.get()));
    if (error.is_lost()) lost_ = true;
    throw error;
}

void Connection::set_options(MYSQL& handle) const {
    const auto set_seconds = [&](mysql_option option, std::chrono::seconds time) {
        const unsigned value = seconds(time);
        mysql_optionsv(&handle, option, &value);
    };
    set_seconds(MYSQL_OPT_CONNECT_TIMEOUT, patience_.connect);
    set_seconds(MYSQL_OPT_READ_TIMEOUT, patience_.answer);
    set_seconds(MYSQL_OPT_WRITE_TIMEOUT, patience_.answer);
    // By default the library connects to the socket of the system's server for "localhost",
    // whatever the port.
    const unsigned protocol = address_.socket.empty() ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET;
    mysql_optionsv(&handle, MYSQL_OPT_PROTOCOL, &protocol);
    const unsigned no = 0;
    mysql_optionsv(&handle, MYSQL_OPT_LOCAL_INFILE, &no);  // a server may not ask for our files
    mysql_optionsv(&handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    const my_bool wanted = address_.tls != Tls::off ? 1 : 0;
    mysql_optionsv(&handle, MYSQL_OPT_SSL_ENFORCE, &wanted);
    if (!wanted) return;
    mysql_ssl_set(&handle, or_null(address_.tls_key), or_null(address_.tls_cert),
                  or_null(address_.tls_ca), nullptr, nullptr);
    const my_bool checked = address_.tls == Tls::checked ? 1 : 0;
    mysql_optionsv(&handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &checked);
}

void Connection::connect() {
    disconnect();
    lost_ = false;
    handle_.reset(mysql_init(nullptr));
    CHECK(handle_, "there is memory for a connection");
    set_options(*handle_);
    // CLIENT_FOUND_ROWS: an UPDATE reports how many rows it found, like SQLite, not how many it
    // made different. Several statements in one packet are only ever our own constants.
    const auto* opened = mysql_real_connect(
        handle_.get(), or_null(address_.host), address_.user.c_str(), address_.password.c_str(),
        address_.database.empty() ? nullptr : address_.database.c_str(), address_.port,
        or_null(address_.socket), CLIENT_FOUND_ROWS | CLIENT_MULTI_STATEMENTS);
    if (!opened) {
        lost_ = true;
        fail("cannot connect to " + address_.text());
    }
    expect_encryption();
    run_script(std::string(kSession) +
               "innodb_lock_wait_timeout = " + std::to_string(seconds(patience_.lock)) +
               ", idle_transaction_timeout = " + std::to_string(seconds(patience_.idle)));
}

void Connection::expect_encryption() {
    // If the server cannot encrypt, the library continues in plain text, unless it has to check a
    // certificate.
    if (address_.tls == Tls::off || mysql_get_ssl_cipher(handle_.get())) return;
    lost_ = true;
    throw Error(CR_SSL_CONNECTION_ERROR,
                "cannot connect to " + address_.text() +
                    ": TLS is asked for (ledger.tls), and the server does not speak it");
}

void Connection::run_script(std::string_view sql) {
    if (!is_open()) throw Error(CR_SERVER_GONE_ERROR, "not connected to " + address_.text());
    auto* handle = handle_.get();
    if (mysql_real_query(handle, sql.data(), sql.size()) != 0) fail("MariaDB");
    for (;;) {
        // The results of a script are not needed, but have to be read.
        if (auto* result = mysql_store_result(handle)) mysql_free_result(result);
        const int next = mysql_next_result(handle);
        if (next < 0) return;
        if (next > 0) fail("MariaDB");
    }
}

bool Connection::in_transaction() const {
    return is_open() && (handle_->server_status & SERVER_STATUS_IN_TRANS) != 0;
}

PreparedStatement& Connection::statement(std::string_view sql) {
    return prepare(sql, dialect_of(sql, mode_ == Mode::writes));
}

PreparedStatement& Connection::archived_statement(std::string_view sql, ArchivedRows rows) {
    return prepare(sql, over_archive(dialect_of(sql, false), rows));
}

PreparedStatement& Connection::prepare(std::string_view sql, std::string_view dialect) {
    if (!is_open()) throw Error(CR_SERVER_GONE_ERROR, "not connected to " + address_.text());
    auto found = statements_.find(dialect);
    if (found == statements_.end()) {
        auto made = std::make_unique<PreparedStatement>(*handle_, lost_, sql, dialect);
        found = statements_.emplace(dialect, std::move(made)).first;
    }
    return *found->second;
}

void Connection::begin_snapshot() {
    run_script(
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; "
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    mode_ = Mode::reads;
}

bool Connection::look_again() {
    if (mode_ != Mode::reads || !in_transaction()) return false;
    run_script("COMMIT");
    begin_snapshot();
    return true;
}

void Connection::begin(std::string_view isolation, std::optional<std::int64_t> now_ms,
                       std::string_view first) {
    std::string script = "SET TRANSACTION ISOLATION LEVEL ";
    script.append(isolation) += "; SET @sluice_now_ms = ";
    script += now_ms ? std::to_string(*now_ms) : "NULL";
    script += "; START TRANSACTION READ WRITE";
    if (!first.empty()) script.append("; ").append(first);
    mode_ = Mode::writes;
    run_script(script);
}

void Connection::roll_back() noexcept {
    try {
        if (in_transaction()) run_script("ROLLBACK");
    } catch (const Error&) {
        lost_ = true;  // the rest of the transaction ends with the connection
    }
}

std::int64_t Connection::id() const {
    return handle_ ? static_cast<std::int64_t>(mysql_thread_id(handle_.get())) : 0;
}

}  // namespace sluice::mariadb
