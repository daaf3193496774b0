#include "adapters/sqlite/engine/migrate.hpp"

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/migrations.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "base/outage.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

constexpr std::size_t kVersions = 31;

class MigrateTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";

    std::string contents() const {
        std::ifstream stream(file, std::ios::binary);
        std::stringstream text;
        text << stream.rdbuf();
        return text.str();
    }
    void change(std::string_view sql) {
        std::ofstream(file, std::ios::app).close();
        Database::open_bare(file).run_script(sql);
    }

    /// Refused by everybody, for the same reason, and unchanged.
    void expect_refused(const std::string& reason) {
        const auto before = contents();
        for (const bool by_migrate : {true, false}) try {
                if (by_migrate)
                    migrate(file);
                else
                    Ledger({.file = file});
                ADD_FAILURE() << "not refused: " << reason;
            } catch (const SchemaError& error) {
                EXPECT_NE(std::string_view(error.what()).find(reason), std::string_view::npos)
                    << error.what();
                EXPECT_NE(std::string_view(error.what()).find("ledger.db"), std::string_view::npos);
            }
        EXPECT_EQ(contents(), before);
    }
};

TEST_F(MigrateTest, CreatesTheDatabaseForItsOwnerOnly) {
    const auto report = migrate(file);
    EXPECT_EQ(report.applied, (std::vector<std::string>{"0001_house.sql",
                                                        "0002_orders.sql",
                                                        "0003_blocks.sql",
                                                        "0004_challenge_bits.sql",
                                                        "0005_settings.sql",
                                                        "0006_money.sql",
                                                        "0007_stats.sql",
                                                        "0008_trail_chain.sql",
                                                        "0009_order_lists.sql",
                                                        "0010_webhooks.sql",
                                                        "0011_command_line_deeds.sql",
                                                        "0012_deeds_from_their_commit.sql",
                                                        "0013_ticket_key.sql",
                                                        "0014_whose_money.sql",
                                                        "0015_ticket_lookup.sql",
                                                        "0016_archive.sql",
                                                        "0017_hot_outbox.sql",
                                                        "0018_news_seq.sql",
                                                        "0019_unpaid_limit.sql",
                                                        "0020_session_ends.sql",
                                                        "0021_second_factors.sql",
                                                        "0022_challenge_alternative.sql",
                                                        "0023_session_networks.sql",
                                                        "0024_stats_of_nodes.sql",
                                                        "0025_parked_tickets.sql",
                                                        "0026_labels.sql",
                                                        "0027_support.sql",
                                                        "0028_hold_networks.sql",
                                                        "0029_buyer_lists.sql",
                                                        "0030_delivery.sql",
                                                        "0031_pictures.sql"}));
    EXPECT_EQ(report.version, kVersions);
    struct stat status{};
    ASSERT_EQ(::stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    Ledger ledger({.file = file});
    ASSERT_EQ(::stat((file.string() + "-wal").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(MigrateTest, DoesNothingTheSecondTime) {
    migrate(file);
    const auto before = contents();
    const auto report = migrate(file);
    EXPECT_TRUE(report.applied.empty());
    EXPECT_EQ(report.version, kVersions);
    EXPECT_EQ(contents(), before);
}

TEST_F(MigrateTest, GoesOnFromAFileThatWasOnlyJustCreated) {
    std::ofstream(file).close();
    EXPECT_EQ(migrate(file).applied.size(), kVersions);
}

TEST_F(MigrateTest, GoesOnFromAnOlderVersionAndKeepsWhatIsThere) {
    std::ofstream(file).close();
    {
        auto database = Database::open_writer(file);
        database.run_script(migrations::files[0].second);
        database.run_script(R"(
            INSERT INTO migrations VALUES (1, '0001_house.sql', 0);
            INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0);
            INSERT INTO sales VALUES (1, 1, 'flash', 0, 'CNY', 0, NULL, NULL, 0, 3, 3, 0, 0, 1, 1,
                                      'none', 1, 1, 0))");
    }
    EXPECT_EQ(migrate(file).applied.front(), "0002_orders.sql");
    auto database = Database::open_reader(file);
    EXPECT_EQ(database.value<std::int64_t>("SELECT epoch FROM sales"), 1);
}

TEST_F(MigrateTest, UsersAreCopiedForSupportWithAllThatRefersToThem) {
    std::ofstream(file).close();
    {
        auto database = Database::open_writer(file);
        for (std::size_t i = 0; i < 26; ++i) {
            database.run_script(migrations::files[i].second);
            database.run("INSERT INTO migrations VALUES (?1, ?2, 0)", i + 1,
                         migrations::files[i].first);
        }
        database.run_script(R"(
            INSERT INTO users VALUES (7, '+8613', 'Li', 'operator', 'hash', 5),
                                     (8, '+8614', 'Bo', 'buyer', NULL, 6);
            INSERT INTO sessions (key, user_id, expires_at, ends_at) VALUES (zeroblob(32), 7, 1, 2);
            INSERT INTO second_factors VALUES (7, zeroblob(60), 1, 0);
            INSERT INTO blocks VALUES (1, '10.0.0.1', '', NULL, 1, 7))");
    }
    EXPECT_EQ(migrate(file).applied.front(), "0027_support.sql");
    auto database = Database::open_writer(file);
    EXPECT_EQ(database.value<std::string>("SELECT group_concat(id || phone || name || role || "
                                          "ifnull(password_hash, '-') || created_at) FROM users"),
              "7+8613Lioperatorhash5,8+8614Bobuyer-6");
    EXPECT_FALSE(database.has_row("PRAGMA foreign_key_check"));
    database.run("UPDATE users SET role = 'support' WHERE id = 8");
    EXPECT_ANY_THROW(database.run("UPDATE users SET role = 'king' WHERE id = 8"));
    EXPECT_ANY_THROW(database.run("DELETE FROM users WHERE id = 7")) << "others refer to it";
}

TEST_F(MigrateTest, MayRunInSeveralPlacesAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<std::size_t> applied = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { applied += migrate(file).applied.size(); });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(applied, kVersions);
    Ledger({.file = file});
}

TEST_F(MigrateTest, PassesOverWhatAnAdministratorAdded) {
    migrate(file);
    change(
        "CREATE TABLE notes (text TEXT); CREATE INDEX users_by_age ON users (created_at); ANALYZE");
    EXPECT_TRUE(migrate(file).applied.empty());
    Ledger({.file = file});
}

TEST_F(MigrateTest, RefusesADatabaseThatIsNewer) {
    migrate(file);
    change("INSERT INTO migrations VALUES (" + std::to_string(kVersions + 1) +
           ", 'future.sql', 0)");
    expect_refused("newer than this program");
}

TEST_F(MigrateTest, RefusesADatabaseWithGaps) {
    migrate(file);
    change("UPDATE migrations SET version = 0 WHERE version = 1");
    expect_refused("half-migrated");
}

TEST_F(MigrateTest, RefusesADatabaseWhoseMigrationIsNotNoted) {
    migrate(file);
    change("DELETE FROM migrations");
    expect_refused("half-migrated");
}

TEST_F(MigrateTest, RefusesMigrationsOfAnotherName) {
    migrate(file);
    change("UPDATE migrations SET name = '0001_other.sql' WHERE version = 1");
    expect_refused("0001_other.sql");
}

TEST_F(MigrateTest, RefusesTablesWithoutMigrations) {
    change("CREATE TABLE users (id INTEGER)");
    expect_refused("not made by sluice");
}

TEST_F(MigrateTest, RefusesAForeignTableOfMigrations) {
    change("CREATE TABLE migrations (id INTEGER)");
    expect_refused("damaged");
}

TEST_F(MigrateTest, RefusesWhatIsNoDatabase) {
    std::ofstream(file) << "dear diary, this is no database";
    expect_refused("not a SQLite database");
    std::ofstream(file) << std::string(100'000, 'x');
    expect_refused("not a SQLite database");
}

TEST_F(MigrateTest, RefusesObjectsThatAreMissingOrAltered) {
    migrate(file);
    change("DROP TRIGGER audit_trail_is_not_edited");
    expect_refused("trigger audit_trail_is_not_edited is missing");

    std::filesystem::remove(file);
    migrate(file);
    change("ALTER TABLE users ADD COLUMN age INTEGER");
    expect_refused("table users has been altered");
}

TEST_F(MigrateTest, AnUnusableFileIsAnOutage) {
    EXPECT_THROW(migrate(folder / "no-such-folder" / "ledger.db"), Outage);
    EXPECT_THROW(Ledger({.file = file}), Outage) << "serving does not create";
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(MigrateTest, ServingAsksForAMigrationThatIsMissing) {
    std::ofstream(file).close();
    try {
        Ledger({.file = file});
        FAIL();
    } catch (const SchemaError& error) {
        EXPECT_NE(std::string_view(error.what()).find("sluice migrate"), std::string_view::npos);
    }
}

}  // namespace
}  // namespace sluice::sqlite
