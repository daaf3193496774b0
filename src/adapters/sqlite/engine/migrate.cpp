#include "adapters/sqlite/engine/migrate.hpp"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrations.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "base/check.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {
namespace {

void create_if_absent(const std::filesystem::path& file);
Database open_to_look(const std::filesystem::path& file);
std::size_t examine(Database&);
std::size_t count_noted_by_now(Database&);
bool apply(Database&, std::size_t index);

/// The migration's version, checked against its place in the list.
std::size_t version_of(std::size_t index) {
    const auto name = migrations::files[index].first;
    std::size_t version = 0;
    std::from_chars(name.data(), name.data() + name.size(), version);
    CHECK(version == index + 1, "migrations are numbered without gaps");
    return version;
}

}  // namespace

MigrationReport migrate(const std::filesystem::path& file) {
    MigrationReport report;
    try {
        create_if_absent(file);
        {
            auto database = open_to_look(file);
            report.version = examine(database);
        }
        if (report.version == migrations::files.size()) return report;
        auto database = Database::open_writer(file);
        for (; report.version < migrations::files.size(); ++report.version)
            if (apply(database, report.version))
                report.applied.emplace_back(migrations::files[report.version].first);
    } catch (const SchemaError& error) {
        throw SchemaError(file.string() + ": " + error.what());
    } catch (const Error& error) {
        throw Outage("cannot migrate " + file.string() + ": " + error.what());
    }
    return report;
}

bool has_all_migrations(Database& database) {
    try {
        return count_noted_by_now(database) == migrations::files.size();
    } catch (const SchemaError&) {
        return false;
    }
}

void verify_schema(Database& database) {
    const auto applied = examine(database);
    if (applied < migrations::files.size())
        throw SchemaError("the database is at version " + std::to_string(applied) +
                          ", this program needs " + std::to_string(migrations::files.size()) +
                          ": run `sluice migrate`");
}

namespace {

void create_if_absent(const std::filesystem::path& file) {
    const int created = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (created >= 0)
        ::close(created);
    else if (errno != EEXIST)
        throw Outage("cannot create " + file.string() + ": " + std::strerror(errno));
}

/// Leaves a file that is not ours as it was. If there is a log beside it, only a reader does not
/// write that log back at the end; if there is none, a reader would leave an empty log behind.
Database open_to_look(const std::filesystem::path& file) {
    const bool has_log = std::filesystem::exists(file.string() + "-wal");
    return has_log ? Database::open_reader(file) : Database::open_bare(file);
}

using Objects = std::map<std::pair<std::string, std::string>, std::string>;

Objects list_objects(Database& database) {
    Objects objects;
    for (auto& [type, name, sql] :
         database.rows<std::tuple<std::string, std::string, std::string>>(statements::list_objects))
        objects.emplace(std::pair(std::move(type), std::move(name)), std::move(sql));
    return objects;
}

bool has_migrations_table(Database& database) {
    return database.value<std::int64_t>(statements::has_migrations_table) > 0;
}

/// How many of the noted migrations there are; they have to be the first of ours.
std::size_t count_noted(Database& database) {
    std::size_t noted = 0;
    for (const auto& [version, name] :
         database.rows<std::tuple<std::int64_t, std::string>>(statements::list_migrations)) {
        if (version > static_cast<std::int64_t>(migrations::files.size()))
            throw SchemaError("the database is newer than this program (it has migration " + name +
                              "): run a newer sluice, or restore a backup made by this one");
        if (version != static_cast<std::int64_t>(noted + 1))
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

/// The objects that the first `count` migrations make.
Objects model_objects(std::size_t count) {
    auto model = Database::open_bare(":memory:");
    for (std::size_t i = 0; i < count; ++i) model.run_script(migrations::files[i].second);
    return list_objects(model);
}

void expect_objects(Database& database, std::size_t applied) {
    const auto actual = list_objects(database);
    const auto expected = model_objects(applied);
    for (const auto& [key, sql] : expected) {
        const auto found = actual.find(key);
        if (found != actual.end() && found->second == sql) continue;
        throw SchemaError("the database is not what its migrations make: " + key.first + " " +
                          key.second +
                          (found == actual.end() ? " is missing" : " has been altered") +
                          "; undo that change or restore it from a backup");
    }
    if (applied == migrations::files.size()) return;
    for (const auto& [key, sql] : model_objects(migrations::files.size()))
        if (!expected.contains(key) && actual.contains(key))
            throw SchemaError("the database is half-migrated: " + key.first + " " + key.second +
                              " belongs to a migration that is not noted; restore it from a "
                              "backup");
}

/// Throws SchemaError for everything except a database that only lacks later migrations.
std::size_t count_applied(Database& database) {
    try {
        if (!has_migrations_table(database)) {
            if (database.value<std::int64_t>(statements::count_tables) == 0) return 0;
            throw SchemaError(
                "the database has tables but no migrations: it was not made by sluice; "
                "move it away or name another data directory");
        }
        const auto applied = count_noted(database);
        expect_objects(database, applied);
        return applied;
    } catch (const Error& error) {
        switch (error.code() & 0xff) {
            case SQLITE_NOTADB:
                throw SchemaError(
                    "the file is not a SQLite database; move it away or name another data "
                    "directory");
            case SQLITE_CORRUPT:
            case SQLITE_ERROR:  // the table of migrations is not as we make it
                throw SchemaError(std::string("the database is damaged (") + error.what() +
                                  "); restore it from a backup");
            default:
                throw;
        }
    } catch (const RowError& error) {
        throw SchemaError(std::string("the database is damaged (") + error.what() +
                          "); restore it from a backup");
    }
}

/// count_applied() at one instant, because another process may be migrating right now.
std::size_t examine(Database& database) {
    database.run("BEGIN");
    try {
        const auto applied = count_applied(database);
        database.run("COMMIT");
        return applied;
    } catch (...) {
        database.run("ROLLBACK");
        throw;
    }
}

/// For a database that was checked just now: only the noted migrations can have changed since.
std::size_t count_noted_by_now(Database& database) {
    return has_migrations_table(database) ? count_noted(database) : 0;
}

/// False when another process was quicker.
bool apply(Database& database, std::size_t index) {
    const auto& [name, script] = migrations::files[index];
    database.run("BEGIN IMMEDIATE");
    try {
        if (count_noted_by_now(database) > index) {
            database.run("ROLLBACK");
            return false;
        }
        database.run_script(script);
        const auto now =
            std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
        database.run(statements::note_migration, version_of(index), name, now);
        database.run("COMMIT");
        return true;
    } catch (...) {
        if (database.in_transaction()) database.run("ROLLBACK");
        throw;
    }
}

}  // namespace
}  // namespace sluice::sqlite
