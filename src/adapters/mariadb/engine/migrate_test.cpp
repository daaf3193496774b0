#include "adapters/mariadb/engine/migrate.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/mariadb/engine/dialect.hpp"
#include "adapters/mariadb/engine/migrations.hpp"
#include "adapters/mariadb/engine/server_settings.hpp"
#include "adapters/sql/rows.hpp"
#include "support/manual_clock.hpp"
#include "support/mariadb_server.hpp"

namespace sluice::mariadb {
namespace {

using testing::HasSubstr;
using testing_support::shared_mariadb;

class MariadbMigrateTest : public testing::Test {
  protected:
    void SetUp() override { shared_mariadb().run("DROP DATABASE IF EXISTS migrate_test"); }

    void make_empty() {
        shared_mariadb().run("SET foreign_key_checks = 0; CREATE OR REPLACE DATABASE migrate_test");
    }
    void run(std::string_view statements) {
        Connection connection(address, kLongPatience);
        connection.connect();
        connection.run_script(statements);
    }
    std::string verify() {
        Connection connection(address, kLongPatience);
        connection.connect();
        try {
            verify_schema(connection);
            return "fine";
        } catch (const SchemaError& error) {
            return error.what();
        }
    }
    std::string migrate_again() {
        try {
            return "version " + std::to_string(migrate(address).version);
        } catch (const SchemaError& error) {
            return error.what();
        }
    }

    ServerAddress address = shared_mariadb().address("migrate_test");
    const std::string newest = "version " + std::to_string(migrations::files.size());
};

TEST_F(MariadbMigrateTest, MakesADatabaseAndThenFindsItInOrder) {
    EXPECT_FALSE(has_ledger(address));
    EXPECT_EQ(migrate(address).applied.size(), migrations::files.size());
    EXPECT_TRUE(has_ledger(address));
    EXPECT_TRUE(migrate(address).applied.empty());
    EXPECT_EQ(verify(), "fine");
}

TEST_F(MariadbMigrateTest, GoesOnAfterAnyStatementAtWhichItWasCutShort) {
    std::vector<std::string> statements;
    for (const auto& [name, script] : migrations::files)
        for (auto& each : split_script(script)) statements.push_back(std::move(each));
    // Trying each place would take minutes; with these steps every kind of statement is the last
    // one once.
    for (std::size_t cut = 1; cut < statements.size(); cut += 7) {
        make_empty();
        for (std::size_t i = 0; i < cut; ++i) run(statements[i]);
        EXPECT_EQ(migrate_again(), newest) << "cut after " << statements[cut - 1];
        EXPECT_EQ(verify(), "fine");
    }
}

TEST_F(MariadbMigrateTest, AKillBeforeTheObjectsAreNotedIsMadeGood) {
    migrate(address);
    run("DELETE FROM schema_objects");
    migrate(address);
    run("DROP INDEX users_by_role ON users");
    EXPECT_THAT(verify(), HasSubstr("index users.users_by_role is missing"));
}

TEST_F(MariadbMigrateTest, RefusesWhatHasBeenAlteredAndNamesIt) {
    migrate(address);
    run("DROP TRIGGER audit_trail_is_not_edited");
    EXPECT_THAT(verify(), HasSubstr("trigger audit_trail_is_not_edited is missing"));
    EXPECT_THAT(migrate_again(), HasSubstr("trigger audit_trail_is_not_edited is missing"));
}

TEST_F(MariadbMigrateTest, RefusesAColumnThatIsNotAsItWasMade) {
    migrate(address);
    run("ALTER TABLE items MODIFY title VARCHAR(10) NOT NULL");
    EXPECT_THAT(verify(), HasSubstr("column items.title has been altered"));
}

TEST_F(MariadbMigrateTest, PassesOverWhatAnAdministratorHasAdded) {
    migrate(address);
    run("CREATE TABLE report (id INT); CREATE INDEX mine ON items (created_at)");
    EXPECT_EQ(verify(), "fine");
}

TEST_F(MariadbMigrateTest, RefusesANewerAForeignAndAnotherDatabase) {
    migrate(address);
    run("INSERT INTO migrations (version, name, applied_at) VALUES (9999, '9999_later.sql', 1)");
    EXPECT_THAT(migrate_again(), HasSubstr("run a newer sluice"));
    run("DELETE FROM migrations WHERE version > 1; "
        "UPDATE migrations SET name = '0001_other.sql'");
    EXPECT_THAT(migrate_again(), HasSubstr("0001_other.sql"));
    make_empty();
    run("CREATE TABLE wordpress (id INT)");
    EXPECT_THAT(migrate_again(), HasSubstr("it was not made by sluice"));
}

TEST_F(MariadbMigrateTest, TwoAtOnceDoItOnce) {
    std::size_t applied[2] = {};
    std::thread other([&] { applied[0] = migrate(address).applied.size(); });
    applied[1] = migrate(address).applied.size();
    other.join();
    EXPECT_EQ(applied[0] + applied[1], migrations::files.size());
    EXPECT_EQ(verify(), "fine");
}

TEST_F(MariadbMigrateTest, AnOlderDatabaseIsNotUsedBeforeItIsMigrated) {
    make_empty();
    for (const auto& each : split_script(migrations::files[0].second)) run(each);
    run("INSERT INTO migrations (version, name, applied_at) VALUES (1, '0001_house.sql', 1)");
    EXPECT_THAT(verify(), HasSubstr("run `sluice migrate`"));
}

ServerSettings fine_settings() {
    return {.version = "10.11.6-MariaDB-0+deb12u1",
            .flush_at_commit = 1,
            .has_binlog = true,
            .sync_binlog = 1,
            .binlog_format = "MIXED",
            .largest_packet = 16 << 20,
            .most_connections = 151,
            .is_read_only = false,
            .has_doublewrite = true,
            .sql_mode = "STRICT_ALL_TABLES",
            .charset = "utf8mb4"};
}

/// The report about a good database after one change.
std::string finding_of(void (*change)(ServerSettings&)) {
    auto settings = fine_settings();
    change(settings);
    std::string text;
    const auto [errors, warnings] = judge(settings, 10);
    for (const auto& each : errors) text += "error: " + each + "\n";
    for (const auto& each : warnings) text += "warning: " + each + "\n";
    return text;
}

TEST(ServerSettingsTest, FineOnesAreFine) {
    EXPECT_EQ(finding_of([](ServerSettings&) {}), "");
}

TEST(ServerSettingsTest, EachThatBreaksAPromiseIsAnErrorWithItsLine) {
    const auto expect_error = [](void (*change)(ServerSettings&), const char* line) {
        const auto found = finding_of(change);
        EXPECT_THAT(found, HasSubstr(line));
        EXPECT_TRUE(found.starts_with("error: ")) << found;
    };
    expect_error([](ServerSettings& s) { s.flush_at_commit = 2; },
                 "innodb_flush_log_at_trx_commit = 1");
    expect_error([](ServerSettings& s) { s.sync_binlog = 0; }, "sync_binlog = 1");
    expect_error([](ServerSettings& s) { s.binlog_format = "STATEMENT"; }, "binlog_format = ROW");
    expect_error([](ServerSettings& s) { s.largest_packet = 1 << 20; }, "max_allowed_packet");
    expect_error([](ServerSettings& s) { s.sql_mode = ""; }, "sql_mode");
    expect_error([](ServerSettings& s) { s.charset = "latin1"; }, "utf8mb4");
    expect_error([](ServerSettings& s) { s.version = "10.5.2-MariaDB"; }, "10.6");
    expect_error([](ServerSettings& s) { s.version = "8.0.36"; }, "not MariaDB");
}

TEST(ServerSettingsTest, WithoutABinaryLogItsSettingsDoNotMatter) {
    EXPECT_EQ(finding_of([](ServerSettings& s) { s.has_binlog = false, s.sync_binlog = 0; }), "");
}

TEST(ServerSettingsTest, WhatAnAdministratorShouldKnowIsAWarning) {
    EXPECT_THAT(finding_of([](ServerSettings& s) { s.most_connections = 12; }),
                HasSubstr("warning: this node alone needs 10 of 12 connections"));
    EXPECT_THAT(finding_of([](ServerSettings& s) { s.is_read_only = true; }),
                HasSubstr("warning: the server takes no writes"));
    EXPECT_THAT(finding_of([](ServerSettings& s) { s.has_doublewrite = false; }),
                HasSubstr("warning: "));
}

TEST(ServerSettingsTest, TheRealServerIsRead) {
    Connection connection(shared_mariadb().address(""), kLongPatience);
    connection.connect();
    EXPECT_TRUE(check_settings(connection, 6).empty());
    const testing_support::ManualClock ours;
    const auto passed = std::chrono::system_clock::now() - ours.now();
    EXPECT_LT(std::chrono::abs(clock_difference(connection, ours) - passed),
              std::chrono::seconds{5});
    shared_mariadb().run("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    EXPECT_THROW(check_settings(connection, 6), SettingsError);
    shared_mariadb().run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
}

}  // namespace
}  // namespace sluice::mariadb
