#include "adapters/mariadb/engine/migrate.hpp"

#include <charconv>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

#include <mysqld_error.h>

#include "adapters/mariadb/engine/dialect.hpp"
#include "adapters/mariadb/engine/migrations.hpp"
#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/mariadb/engine/server_settings.hpp"
#include "adapters/sql/rows.hpp"
#include "base/check.hpp"
#include "base/outage.hpp"

namespace sluice::mariadb {
namespace {

constexpr std::int64_t kLockSeconds = 60;

/// The objects that the noted migrations have made are stored with them, and are compared with
/// those that exist.
using Objects = std::map<std::pair<std::string, std::string>, std::string>;

std::size_t version_of(std::size_t index) {
    const auto name = migrations::files[index].first;
    std::size_t version = 0;
    std::from_chars(name.data(), name.data() + name.size(), version);
    CHECK(version == index + 1, "migrations are numbered without gaps");
    return version;
}

/// Only one process migrates a database at a time.
class MigrationLock {
  public:
    explicit MigrationLock(Connection& connection) : connection_(connection) {
        if (connection.value<std::int64_t>(own::lock_migrations, kLockSeconds) != 1)
            throw Outage("another process has been migrating the database for a minute");
    }
    ~MigrationLock() {
        try {
            connection_.has_row(own::unlock_migrations);
        } catch (const Error&) {
            // The server releases it with the connection.
        }
    }
    MigrationLock(const MigrationLock&) = delete;
    MigrationLock& operator=(const MigrationLock&) = delete;

  private:
    Connection& connection_;
};

bool has_table(Connection& connection, std::string_view name) {
    return connection.value<std::int64_t>(own::has_table, name) > 0;
}

Objects list_objects(Connection& connection) {
    using Object = std::tuple<std::string, std::string, std::string>;
    Objects objects;
    for (auto& [kind, name, text] : connection.rows<Object>(own::list_objects))
        objects.emplace(std::pair(std::move(kind), std::move(name)), std::move(text));
    return objects;
}

/// The series of a version such as 10.11.8-MariaDB: 10.11.
std::string series_of(const std::string& version) {
    const auto dot = version.find('.');
    return version.substr(0, version.find('.', dot + 1));
}

SchemaError difference(const std::string& kind, const std::string& name, const char* fault) {
    return SchemaError("the database is not what its migrations have made: " + kind + " " + name +
                       " " + fault + "; undo that change or restore it from a backup");
}

/// Another series of the server may describe the same object differently; its description then
/// counts from the next migration on.
void expect_objects(Connection& connection) {
    if (!has_table(connection, "schema_objects")) return;
    const auto actual = list_objects(connection);
    const auto series = series_of(connection.value<std::string>(own::read_version));
    using Noted = std::tuple<std::string, std::string, std::string, std::string>;
    for (const auto& [kind, name, made_by, description] :
         connection.rows<Noted>(own::list_noted_objects)) {
        const auto found = actual.find({kind, name});
        if (found != actual.end() && (found->second == description || series_of(made_by) != series))
            continue;
        throw difference(kind, name, found == actual.end() ? "is missing" : "has been altered");
    }
}

/// How many of the noted migrations there are; they have to be the first of ours.
std::size_t count_noted(Connection& connection) {
    std::size_t noted = 0;
    for (const auto& [version, name] :
         connection.rows<std::tuple<std::size_t, std::string>>(own::list_migrations)) {
        if (noted == migrations::files.size())
            throw SchemaError("the database is at version " + std::to_string(version) +
                              ", this program knows " + std::to_string(noted) +
                              ": run a newer sluice");
        if (version != noted + 1)
            throw SchemaError("the database is half-migrated: migration " +
                              std::to_string(noted + 1) +
                              " is missing before later ones; restore it from a backup");
        if (name != migrations::files[noted].first)
            throw SchemaError("migration " + std::to_string(version) + " of the database is " +
                              name + ", this program's is " +
                              std::string(migrations::files[noted].first) +
                              ": run the sluice that made the database");
        ++noted;
    }
    return noted;
}

/// Throws SchemaError for everything except a database that only lacks later migrations.
std::size_t count_applied(Connection& connection) {
    try {
        if (!has_table(connection, "migrations")) {
            if (connection.value<std::int64_t>(own::count_tables) == 0) return 0;
            throw SchemaError(
                "the database has tables but no migrations: it was not made by sluice; name "
                "another database");
        }
        const auto applied = count_noted(connection);
        expect_objects(connection);
        return applied;
    } catch (const RowError& error) {
        throw SchemaError(std::string("the database is damaged (") + error.what() +
                          "); restore it from a backup");
    } catch (const Error& error) {
        if (error.is_outage()) throw;
        throw SchemaError(std::string("the database is damaged (") + error.what() +
                          "); restore it from a backup");
    }
}

/// Some of its rows are missing, even if it looks complete.
void expect_no_transfer(Connection& connection) {
    if (!has_table(connection, kTransferTable)) return;
    throw SchemaError(
        "a `sluice move` or `sluice restore` into the database has not finished: run the same "
        "command again");
}

void note_objects(Connection& connection) {
    const auto objects = list_objects(connection);
    connection.run_script("START TRANSACTION");
    connection.run(own::forget_objects);
    for (const auto& [key, description] : objects)
        connection.run(own::note_object, key.first, key.second, description);
    connection.run_script("COMMIT");
}

void apply(Connection& connection, std::size_t index) {
    const auto& [name, script] = migrations::files[index];
    // A migration changes the stored objects. If it is interrupted, none are stored any more, and
    // the next process compares nothing until it is done.
    if (has_table(connection, "schema_objects")) connection.run(own::forget_objects);
    for (const auto& statement : split_script(script)) {
        try {
            connection.run_script(statement);
        } catch (const Error& error) {
            if (error.code() != ER_BINLOG_CREATE_ROUTINE_NEED_SUPER) throw;
            throw SettingsError(
                "the server lets nobody create triggers while its binary log is on; set "
                "log_bin_trust_function_creators = 1");
        }
    }
    const auto now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    connection.run(own::note_migration, version_of(index), name, now);
}

/// Whether the user may create it; if not, an administrator is told how.
void create_database(const ServerAddress& address) {
    auto server = address;
    server.database.clear();
    Connection connection(server, kLongPatience);
    connection.connect();
    try {
        connection.run_script("CREATE DATABASE IF NOT EXISTS `" + address.database +
                              "` CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin");
    } catch (const Error&) {
        throw SchemaError("there is no database " + address.database + ", and " + address.user +
                          " may not make it; an administrator does so with: CREATE DATABASE `" +
                          address.database + "`; GRANT ALL ON `" + address.database + "`.* TO '" +
                          address.user + "'");
    }
}

void open(Connection& connection, const ServerAddress& address) {
    try {
        connection.connect();
    } catch (const Error& error) {
        if (error.code() != ER_BAD_DB_ERROR) throw;
        create_database(address);
        connection.connect();
    }
}

}  // namespace

MigrationReport migrate(const ServerAddress& address) {
    MigrationReport report;
    try {
        Connection connection(address, kLongPatience);
        open(connection, address);
        const MigrationLock lock(connection);
        expect_no_transfer(connection);
        report.version = count_applied(connection);
        for (; report.version < migrations::files.size(); ++report.version) {
            apply(connection, report.version);
            report.applied.emplace_back(migrations::files[report.version].first);
        }
        if (!connection.has_row(own::list_noted_objects)) note_objects(connection);
    } catch (const SchemaError& error) {
        throw SchemaError(address.text() + ": " + error.what());
    } catch (const Error& error) {
        throw Outage("cannot migrate " + address.text() + ": " + error.what());
    }
    return report;
}

void verify_schema(Connection& connection) {
    expect_no_transfer(connection);
    verify_objects(connection);
}

void verify_objects(Connection& connection) {
    const auto applied = count_applied(connection);
    if (applied < migrations::files.size())
        throw SchemaError("the database is at version " + std::to_string(applied) +
                          ", this program needs " + std::to_string(migrations::files.size()) +
                          ": run `sluice migrate`");
}

bool has_ledger(const ServerAddress& address) {
    try {
        Connection connection(address, kLongPatience);
        connection.connect();
        return has_table(connection, "migrations");
    } catch (const Error& error) {
        if (error.code() == ER_BAD_DB_ERROR) return false;
        throw Outage(error.what());
    }
}

}  // namespace sluice::mariadb
