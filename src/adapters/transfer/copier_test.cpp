#include "adapters/transfer/copier.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/archive/archive_rows.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/transfer/tables.hpp"
#include "support/full_ledger.hpp"
#include "support/mariadb_server.hpp"
#include "support/temp_folder.hpp"

namespace sluice::transfer {
namespace {

using Columns = std::vector<std::tuple<std::string, Type>>;

std::map<std::string, Columns> listed() {
    std::map<std::string, Columns> all;
    for (const auto& table : tables())
        for (const auto& column : table.columns)
            if (column.name != kArrival) all[table.name].emplace_back(column.name, column.type);
    return all;
}

bool is_left_out(const std::string& table) {
    return std::ranges::find(tables_left_out(), table) != tables_left_out().end();
}

Type type_of(const std::string& name) {
    if (name == "INTEGER" || name == "bigint" || name == "tinyint") return Type::number;
    if (name == "BLOB" || name.ends_with("blob") || name == "varbinary") return Type::blob;
    EXPECT_TRUE(name == "TEXT" || name == "varchar" || name.ends_with("text")) << name;
    return Type::text;
}

/// A migrated SQLite ledger, without triggers.
class File {
  public:
    File() {
        sqlite::migrate(folder_.path() / "ledger.db");
        database_.emplace(sqlite::Database::open_writer(folder_.path() / "ledger.db"));
        quiet_.emplace(*database_);
    }
    sqlite::Database& database() { return *database_; }
    Side side() { return sqlite_side(*database_); }

  private:
    testing_support::TempFolder folder_;
    std::optional<sqlite::Database> database_;
    std::optional<sqlite::WithoutTriggers> quiet_;
};

/// A connection to an empty MariaDB ledger, whose triggers treat rows as copies.
class Server {
  public:
    Server() : connection_(database_.address()) {
        connection_.connect();
        connection_.run_script("SET @sluice_copies = 1");
    }
    mariadb::Connection& database() { return connection_; }
    Side side() { return mariadb_side(connection_); }

  private:
    testing_support::MariadbDatabase database_;
    mariadb::Connection connection_;
};

void ignore(std::int64_t, std::int64_t) {}

TEST(Tables, AreAllOfTheSqliteSchema) {
    File file;
    std::map<std::string, Columns> actual;
    using Row = std::tuple<std::string, std::string, std::string>;
    for (const auto& [table, column, type] : file.database().rows<Row>(
             "SELECT t.name, c.name, c.type FROM pragma_table_list AS t, "
             "pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table' "
             "AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid"))
        if (!is_left_out(table)) actual[table].emplace_back(column, type_of(type));
    EXPECT_EQ(actual, listed());
}

TEST(Tables, AreAllOfTheMariadbSchema) {
    Server server;
    std::map<std::string, Columns> actual;
    using Row = std::tuple<std::string, std::string, std::string>;
    for (const auto& [table, column, type] : server.database().rows<Row>(
             "SELECT table_name, column_name, data_type FROM information_schema.columns "
             "WHERE table_schema = database() AND extra NOT LIKE '%INVISIBLE%' "
             "ORDER BY table_name, ordinal_position"))
        if (!is_left_out(table)) actual[table].emplace_back(column, type_of(type));
    EXPECT_EQ(actual, listed());
}

TEST(Tables, OfTheArchiveAreThoseOfTheLedger) {
    Server server;
    const auto columns_of = [&](const std::string& table) {
        return server.database()
            .rows<std::string>(
                "SELECT column_name || ' ' || column_type FROM information_schema.columns "
                "WHERE table_schema = database() AND table_name = ?1 AND column_name NOT IN "
                "('open_order_id', 'captured_order_id') ORDER BY ordinal_position",
                table)
            .to_vector();
    };
    for (const auto& table : archive_tables())
        EXPECT_EQ(columns_of("archived_" + table.name), columns_of(table.name)) << table.name;
}

TEST(Tables, AreReadInTheOrderOfAKey) {
    File file;
    for (const auto& table : tables()) {
        if (table.name == "payment_events") continue;  // by the rowid
        std::vector<std::string> keys;
        for (const auto key : table.keys) keys.push_back(table.columns[key].name);
        const auto primary = file.database()
                                 .rows<std::string>(
                                     "SELECT name FROM pragma_table_info(?1) "
                                     "WHERE pk > 0 ORDER BY pk",
                                     table.name)
                                 .to_vector();
        EXPECT_EQ(keys, primary) << table.name;
    }
}

TEST(Tables, ComeAfterThoseThatTheyReferTo) {
    File file;
    std::set<std::string> before;
    for (const auto& table : tables()) {
        for (const auto& parent : file.database().rows<std::string>(
                 "SELECT \"table\" FROM pragma_foreign_key_list(?1)", table.name))
            EXPECT_TRUE(before.contains(parent)) << table.name << " refers to " << parent;
        before.insert(table.name);
    }
}

TEST(FullLedger, HasARowInEveryTable) {
    File file;
    testing_support::fill_every_table(file.database());
    for (const auto& table : tables())
        EXPECT_TRUE(file.database().has_row("SELECT 1 FROM " + table.name)) << table.name;
}

TEST(Copier, CopiesEveryRowFromSqliteToSqlite) {
    File from, to;
    testing_support::fill_every_table(from.database());
    copy_rows(from.side(), to.side(), ignore);
    EXPECT_EQ(digest_of(to.side()), digest_of(from.side()));
    EXPECT_EQ(count_rows(to.side()), count_rows(from.side()));
}

TEST(Copier, CopiesEveryRowToMariadbAndBack) {
    File from, back;
    Server server;
    testing_support::fill_every_table(from.database());
    copy_rows(from.side(), server.side(), ignore);
    EXPECT_EQ(digest_of(server.side()), digest_of(from.side()));
    copy_rows(server.side(), back.side(), ignore);
    EXPECT_EQ(digest_of(back.side()), digest_of(from.side()));
}

TEST(Copier, CopiesAnArchiveToMariadbAndBack) {
    File from, back;
    Server server;
    back.database().run_script("PRAGMA foreign_keys = OFF");  // as for every archive
    testing_support::fill_every_table(from.database());
    const auto digest = digest_of(from.side(), archive_tables());
    const auto there = mariadb_archive_side(server.database());
    copy_rows(from.side(), there, ignore, archive_tables());
    EXPECT_EQ(digest_of(there, archive_tables()), digest);
    EXPECT_EQ(count_rows(server.side()), 0) << "the ledger's own tables are left alone";
    copy_rows(there, back.side(), ignore, archive_tables());
    EXPECT_EQ(digest_of(back.side(), archive_tables()), digest);
}

TEST(Copier, LetsMariadbMakeWhatOnlyItHas) {
    File from;
    Server server;
    testing_support::fill_every_table(from.database());
    copy_rows(from.side(), server.side(), ignore);
    // By pass and by key, of the only ticket that is followed by a later one.
    EXPECT_EQ(server.database().value<std::int64_t>("SELECT count(*) FROM earlier_tickets"), 2);
    // In the order in which they came, which is not that of their keys.
    EXPECT_EQ(server.database().value<std::string>(
                  "SELECT event_id FROM payment_events ORDER BY arrival LIMIT 1"),
              "came first");
}

TEST(Copier, ReadsTablesThatAreLongerThanAChunk) {
    File from, to;
    Server server;
    // Few first keys with many rows behind them, and many with few.
    from.database().run_script(R"(
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1777)
        INSERT INTO webhook_deliveries
        SELECT i % 3, i, 1, 'dead', 1, NULL, 0, 0, NULL, NULL, NULL, NULL FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1777)
        INSERT INTO journal
        SELECT i % 5, i % 7, CAST(printf('%016d', i) AS BLOB), 1, 1, 3, 'busy', NULL, zeroblob(16),
               NULL, 1, 0, NULL FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO settings SELECT 'name ' || i, i, i FROM n;)");
    std::int64_t told = 0;
    copy_rows(from.side(), server.side(), [&](std::int64_t done, std::int64_t all) {
        EXPECT_GT(done, told);
        EXPECT_LE(done, all);
        told = done;
    });
    EXPECT_EQ(told, 1777 + 1777 + 500);
    EXPECT_EQ(digest_of(server.side()), digest_of(from.side()));
    copy_rows(server.side(), to.side(), ignore);
    EXPECT_EQ(digest_of(to.side()), digest_of(from.side()));
}

TEST(Copier, GoesOnWhereItWasCutShort) {
    File from;
    Server server;
    testing_support::fill_every_table(from.database());
    from.database().run_script(R"(
        WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        INSERT INTO webhook_deliveries
        SELECT i % 3, i, 1, 'dead', 1, NULL, 0, 0, NULL, NULL, NULL, NULL FROM n;)");
    struct Killed {};
    int runs = 0;
    for (bool done = false; !done; ++runs) {
        int chunks = 0;
        try {
            copy_rows(from.side(), server.side(), [&](std::int64_t, std::int64_t) {
                if (++chunks == 3) throw Killed{};
            });
            done = true;
        } catch (const Killed&) {
        }
    }
    EXPECT_GT(runs, 10);
    EXPECT_EQ(digest_of(server.side()), digest_of(from.side()));
}

TEST(Copier, NamesTheTableThatDoesNotTakeARow) {
    File from;
    Server server;
    from.database().run("INSERT INTO users VALUES (1, ?1, '', 'buyer', NULL, 0)",
                        std::string(65, '1'));
    try {
        copy_rows(from.side(), server.side(), ignore);
        FAIL() << "a phone of 65 characters was copied";
    } catch (const TransferError& error) {
        EXPECT_NE(std::string(error.what()).find("users"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("phone"), std::string::npos) << error.what();
    }
}

TEST(LedgerDigest, DiffersWithAnyValue) {
    File file;
    file.database().run_script("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    testing_support::fill_every_table(file.database());
    const auto whole = digest_of(file.side());
    for (const auto& table : tables()) {
        if (table.name == "payment_events") continue;  // its last column has another name here
        for (const auto& column : table.columns) {
            file.database().run("SAVEPOINT change");
            const auto name = "\"" + column.name + "\"";
            const auto other = column.type == Type::number ? "coalesce(" + name + ", 0) / 2 + 77"
                               : column.type == Type::text ? "coalesce(" + name + ", '') || 'x'"
                                                           : "zeroblob(77)";
            // Of one row: keys stay unique.
            std::string row;
            for (const auto key : table.keys)
                row += (row.empty() ? "\"" : ", \"") + table.columns[key].name + "\"";
            file.database().run("UPDATE " + table.name + " SET " + name + " = " + other +
                                " WHERE (" + row + ") = (SELECT " + row + " FROM " + table.name +
                                " LIMIT 1)");
            EXPECT_TRUE(digest_of(file.side()) != whole) << table.name << "." << column.name;
            file.database().run("ROLLBACK TO SAVEPOINT change");
            file.database().run("RELEASE SAVEPOINT change");
        }
    }
    EXPECT_EQ(digest_of(file.side()), whole);
}

}  // namespace
}  // namespace sluice::transfer
