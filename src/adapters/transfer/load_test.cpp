#include "adapters/transfer/load.hpp"

#include <array>
#include <fstream>
#include <tuple>

#include <gtest/gtest.h>

#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/transfer/dump.hpp"
#include "adapters/transfer/stage.hpp"
#include "support/archived_sale.hpp"
#include "support/mariadb_server.hpp"
#include "support/temp_folder.hpp"

namespace sluice::transfer {
namespace {

namespace fs = std::filesystem;
using LedgerName = std::array<unsigned char, 16>;
using testing_support::TempFolder;

constexpr Timestamp kNow = from_millis(10'000'000);

const Told kSilent{.step = [](std::string_view) {}, .rows = [](std::int64_t, std::int64_t) {}};

struct Killed {};

/// Throws Killed when so many chunks are copied.
Told killed_after(int chunks) {
    return {.step = [](std::string_view) {},
            .rows =
                [left = std::make_shared<int>(chunks)](std::int64_t, std::int64_t) {
                    if (--*left == 0) throw Killed{};
                }};
}

/// A shop in a SQLite file, and an empty ledger on a server.
class Transfer : public testing::Test {
  protected:
    Transfer() {
        sqlite::migrate(file());
        testing_support::add_ended_sale(file());
    }
    ~Transfer() override { connect()->run_script("DROP TABLE IF EXISTS sluice_transfer"); }

    fs::path file() const { return folder_ / "sluice.db"; }
    mariadb::ServerAddress address() const { return server_.address(); }
    std::unique_ptr<mariadb::Connection> connect() const {
        auto connection = std::make_unique<mariadb::Connection>(address());
        connection->connect();
        return connection;
    }
    LoadWish wish() const { return {.from = file(), .to = address(), .keep = {}, .now = kNow}; }

    static LedgerDigest digest_of_file(const fs::path& file) {
        auto database = sqlite::Database::open_reader(file);
        return digest_of(sqlite_side(database));
    }
    LedgerDigest digest_of_server() const { return digest_of(mariadb_side(*connect())); }

    void cut_short() { EXPECT_THROW(load(wish(), killed_after(3)), Killed); }

    TempFolder folder_;
    testing_support::MariadbDatabase server_;
};

using Load = Transfer;

TEST_F(Load, MakesTheServersLedgerWhatTheFileIs) {
    const auto loaded = load(wish(), kSilent);
    EXPECT_EQ(digest_of_server(), digest_of_file(file()));
    EXPECT_EQ(loaded.rows, 8);
    EXPECT_FALSE(loaded.went_on);
    EXPECT_FALSE(loaded.kept);
    mariadb::verify_schema(*connect());
}

TEST_F(Load, GivesTheLedgerAnotherNameAndALastDeed) {
    auto from_name =
        sqlite::Database::open_reader(file()).value<LedgerName>("SELECT name FROM ledger_name");
    const auto before = connect()->value<LedgerName>("SELECT name FROM ledger_name");
    auto with_deed = wish();
    with_deed.deed = testing_support::deed_at(9'000'000, "ledger.move");
    load(with_deed, kSilent);
    const auto name = connect()->value<LedgerName>("SELECT name FROM ledger_name");
    EXPECT_NE(name, from_name);
    EXPECT_NE(name, before);
    EXPECT_EQ(
        connect()->value<std::string>("SELECT action FROM audit_trail ORDER BY id DESC LIMIT 1"),
        "ledger.move");
    EXPECT_TRUE(ledgers::broken_links(*connect()).empty());
}

TEST_F(Load, KnowsWhenTheFileWasMigrated) {
    using Row = std::tuple<std::int64_t, std::string, std::int64_t>;
    auto database = sqlite::Database::open_reader(file());
    const auto made = database.rows<Row>("SELECT * FROM migrations ORDER BY version").to_vector();
    load(wish(), kSilent);
    EXPECT_EQ(connect()->rows<Row>("SELECT * FROM former_migrations ORDER BY version").to_vector(),
              made);
}

TEST_F(Load, NobodyUsesWhatIsNotThereYet) {
    cut_short();
    EXPECT_THROW(mariadb::verify_schema(*connect()), mariadb::SchemaError);
    EXPECT_THROW(mariadb::migrate(address()), mariadb::SchemaError);
    EXPECT_THROW(dump(address(), backup_files(folder_ / "copy.db"), kNow, kSilent), TransferError);
}

TEST_F(Load, GoesOnWhereItWasCutShort) {
    cut_short();
    const auto orders = connect()->value<std::int64_t>("SELECT count(*) FROM journal");
    EXPECT_EQ(orders, 1);  // the third table with a row; the orders come behind it
    const auto loaded = load(wish(), kSilent);
    EXPECT_TRUE(loaded.went_on);
    EXPECT_EQ(digest_of_server(), digest_of_file(file()));
    mariadb::verify_schema(*connect());
}

TEST_F(Load, BeginsAgainWhenTheFileHasChanged) {
    cut_short();
    sqlite::Database::open_writer(file()).run_script("UPDATE items SET title = 'Pot'");
    const auto loaded = load(wish(), kSilent);
    EXPECT_FALSE(loaded.went_on);
    EXPECT_EQ(digest_of_server(), digest_of_file(file()));
}

TEST_F(Load, FinishesWhatWasProvenAlready) {
    // As if killed between the last commit and the end.
    Told until_compared = kSilent;
    until_compared.step = [](std::string_view step) {
        if (step == "comparing the tables and triggers") throw Killed{};
    };
    auto with_deed = wish();
    with_deed.deed = testing_support::deed_at(9'000'000, "ledger.move");
    EXPECT_THROW(load(with_deed, until_compared), Killed);
    load(with_deed, kSilent);
    EXPECT_EQ(connect()->value<std::int64_t>("SELECT count(*) FROM audit_trail"), 1);
    mariadb::verify_schema(*connect());
}

TEST_F(Load, FindsRowsThatSomebodyElseHasWritten) {
    cut_short();
    connect()->run_script("INSERT INTO settings VALUES ('x', 1, 1)");
    EXPECT_THROW(load(wish(), kSilent), TransferError);
    EXPECT_THROW(mariadb::verify_schema(*connect()), mariadb::SchemaError);
}

TEST_F(Load, LeavesALedgerThatHoldsSomethingAlone) {
    connect()->run_script("INSERT INTO users VALUES (1, '1', '', 'buyer', NULL, 0)");
    const auto before = digest_of_server();
    EXPECT_THROW(load(wish(), kSilent), TransferError);
    EXPECT_EQ(digest_of_server(), before);
    mariadb::verify_schema(*connect());
}

TEST_F(Load, KeepsWhatItReplaces) {
    connect()->run_script("INSERT INTO users VALUES (1, '1', '', 'buyer', NULL, 0)");
    const auto before = digest_of_server();
    auto replacing = wish();
    replacing.replace = true;
    replacing.keep = folder_ / "kept.db";
    const auto loaded = load(replacing, kSilent);
    EXPECT_EQ(loaded.kept, replacing.keep);
    EXPECT_EQ(digest_of_file(replacing.keep), before);
    EXPECT_EQ(digest_of_server(), digest_of_file(file()));
}

TEST_F(Load, RemembersWhatItKeptWhenItIsCutShort) {
    connect()->run_script("INSERT INTO users VALUES (1, '1', '', 'buyer', NULL, 0)");
    auto replacing = wish();
    replacing.replace = true;
    replacing.keep = folder_ / "kept.db";
    Told told = kSilent;
    told.step = [](std::string_view step) {
        if (step == "comparing the rows") throw Killed{};
    };
    EXPECT_THROW(load(replacing, told), Killed);
    EXPECT_EQ(load(wish(), kSilent).kept, replacing.keep);
}

TEST_F(Load, RefusesWhileOthersHaveTheDatabaseOpen) {
    const auto other = connect();
    EXPECT_THROW(load(wish(), kSilent), TransferError);
    mariadb::verify_schema(*other);
    EXPECT_FALSE(other->value<bool>("SELECT EXISTS (SELECT 1 FROM items)"));
}

TEST_F(Load, RefusesTablesThatAreNotOurs) {
    auto& server = testing_support::shared_mariadb();
    server.run("CREATE DATABASE somebody; CREATE TABLE somebody.mine (id INT)");
    auto theirs = wish();
    theirs.to = server.address("somebody");
    EXPECT_THROW(load(theirs, kSilent), mariadb::SchemaError);
    server.run("DROP DATABASE somebody");
}

TEST_F(Load, MakesADatabaseThatIsNotThere) {
    auto& server = testing_support::shared_mariadb();
    auto anew = wish();
    anew.to = server.address("made_by_load");
    load(anew, kSilent);
    mariadb::Connection connection(anew.to);
    connection.connect();
    EXPECT_EQ(digest_of(mariadb_side(connection)), digest_of_file(file()));
    server.run("DROP DATABASE made_by_load");
}

using Dump = Transfer;

TEST_F(Dump, IsTheSameLedgerInAFile) {
    load(wish(), kSilent);
    const auto copy = folder_ / "copy.db";
    const auto dumped = dump(address(), backup_files(copy), kNow, kSilent);
    EXPECT_TRUE(dumped.broken.empty());
    EXPECT_EQ(dumped.rows, 8);
    EXPECT_EQ(digest_of_file(copy), digest_of_file(file()));
    EXPECT_EQ(fs::status(copy).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    auto database = sqlite::Database::open_reader(copy);
    EXPECT_EQ(database.value<LedgerName>("SELECT name FROM ledger_name"),
              connect()->value<LedgerName>("SELECT name FROM ledger_name"));
    auto source = sqlite::Database::open_reader(file());
    constexpr auto kDates = "SELECT group_concat(applied_at) FROM migrations";
    EXPECT_EQ(database.value<std::string>(kDates), source.value<std::string>(kDates));
}

TEST_F(Dump, DatesMigrationsByTheServersIfThereWasNoFile) {
    dump(address(), backup_files(folder_ / "copy.db"), kNow, kSilent);
    auto database = sqlite::Database::open_reader(folder_ / "copy.db");
    EXPECT_EQ(database.value<std::int64_t>("SELECT max(applied_at) FROM migrations"),
              connect()->value<std::int64_t>("SELECT applied_at FROM migrations LIMIT 1"));
}

TEST_F(Dump, IsOfOneInstant) {
    load(wish(), kSilent);
    const auto other = connect();
    Told meanwhile = kSilent;
    meanwhile.rows = [&](std::int64_t done, std::int64_t) {
        if (done == 1)  // the item
            other->run_script(
                "INSERT INTO settings VALUES ('later', 1, 1); "
                "INSERT INTO sandbox_letters VALUES (1, 'later', 0, NULL, NULL)");
    };
    dump(address(), backup_files(folder_ / "copy.db"), kNow, meanwhile);
    EXPECT_EQ(digest_of_file(folder_ / "copy.db"), digest_of_file(file()));
}

TEST_F(Dump, NamesAPromiseThatIsBroken) {
    load(wish(), kSilent);
    connect()->run_script("UPDATE journal SET quantity = 2");
    const auto dumped = dump(address(), backup_files(folder_ / "copy.db"), kNow, kSilent);
    ASSERT_FALSE(dumped.broken.empty());
    EXPECT_EQ(dumped.broken.front().name, "I4 tickets");
    EXPECT_TRUE(fs::exists(folder_ / "copy.db"));
}

TEST_F(Dump, OverwritesNothing) {
    std::ofstream(folder_ / "copy.db") << "mine";
    EXPECT_THROW(dump(address(), backup_files(folder_ / "copy.db"), kNow, kSilent), TransferError);
    EXPECT_EQ(fs::file_size(folder_ / "copy.db"), 4u);
    std::ofstream(folder_ / "other.db.partial") << "mine";
    EXPECT_THROW(dump(address(), backup_files(folder_ / "other.db"), kNow, kSilent), TransferError);
    EXPECT_EQ(fs::file_size(folder_ / "other.db.partial"), 4u);
}

TEST_F(Dump, LeavesNothingBehindWhenItFails) {
    Told failing = kSilent;
    failing.step = [](std::string_view step) {
        if (step == "proving the promises") throw Killed{};
    };
    EXPECT_THROW(dump(address(), backup_files(folder_ / "copy.db"), kNow, failing), Killed);
    EXPECT_FALSE(fs::exists(folder_ / "copy.db"));
    EXPECT_FALSE(fs::exists(folder_ / "copy.db.partial"));
}

/// The same shop, with its sale archived.
class ArchivedTransfer : public Transfer {
  protected:
    ArchivedTransfer() { testing_support::archive_ended_sale(file(), 9'000'000); }

    static LedgerDigest digest_of_archive(const fs::path& archive) {
        auto database = sqlite::Database::open_reader(archive);
        return digest_of(sqlite_side(database), archive_tables());
    }
    LedgerDigest digest_of_archived_rows() const {
        return digest_of(mariadb_archive_side(*connect()), archive_tables());
    }
};

TEST_F(ArchivedTransfer, IsArchivedThereToo) {
    const auto loaded = load(wish(), kSilent);
    // An item, a sale and its row among the archived, a deed and its link; and the archive.
    EXPECT_EQ(loaded.rows, 5 + 6);
    EXPECT_EQ(digest_of_server(), digest_of_file(file()));
    EXPECT_EQ(digest_of_archived_rows(), digest_of_archive(folder_ / "archive.db"));
    EXPECT_TRUE(connect()->archive()->has_row("SELECT 1 FROM orders WHERE id = 1")) << "it counts";
    EXPECT_FALSE(connect()->has_row("SELECT 1 FROM orders"));
}

TEST_F(ArchivedTransfer, IsRefusedWhenTheArchiveWasChanged) {
    cut_short();
    sqlite::Database::open_writer(folder_ / "archive.db")
        .run_script("UPDATE orders SET price_cents = 6");
    EXPECT_THROW(load(wish(), kSilent), TransferError);
    EXPECT_THROW(mariadb::verify_schema(*connect()), mariadb::SchemaError);
}

TEST_F(ArchivedTransfer, ACopyIsTwoFiles) {
    load(wish(), kSilent);
    const auto copy = backup_files(folder_ / "copy.db");
    const auto dumped = dump(address(), copy, kNow, kSilent);
    EXPECT_TRUE(dumped.broken.empty()) << dumped.broken.front().detail;
    EXPECT_EQ(digest_of_file(copy.ledger), digest_of_file(file()));
    EXPECT_EQ(digest_of_archive(copy.archive), digest_of_archive(folder_ / "archive.db"));
    auto archive = sqlite::Database::open_reader(copy.archive);
    EXPECT_TRUE(archive.has_row("SELECT 1 FROM sales")) << "it is a whole database";
    EXPECT_TRUE(archive.has_row("SELECT 1 FROM items"));
    EXPECT_EQ(fs::status(copy.archive).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(ArchivedTransfer, AnArchiveInTheWayIsNotOverwritten) {
    load(wish(), kSilent);
    const auto copy = backup_files(folder_ / "copy.db");
    std::ofstream(copy.archive) << "mine";
    EXPECT_THROW(dump(address(), copy, kNow, kSilent), TransferError);
    EXPECT_FALSE(fs::exists(copy.ledger));
    EXPECT_EQ(fs::file_size(copy.archive), 4u);
}

TEST_F(ArchivedTransfer, WhatItReplacesIsKeptWithItsArchive) {
    load(wish(), kSilent);
    auto replacing = wish();
    replacing.replace = true;
    replacing.keep = folder_ / "kept.db";
    load(replacing, kSilent);
    EXPECT_EQ(digest_of_archive(backup_files(replacing.keep).archive),
              digest_of_archive(folder_ / "archive.db"));
}

TEST_F(ArchivedTransfer, ALedgerWithoutAnArchiveEmptiesTheOneThatIsThere) {
    load(wish(), kSilent);
    testing_support::bring_ended_sale_back(file(), 9'500'000);
    fs::remove(folder_ / "archive.db");
    auto replacing = wish();
    replacing.replace = true;
    replacing.keep = folder_ / "kept.db";
    load(replacing, kSilent);
    EXPECT_EQ(count_rows(mariadb_archive_side(*connect()), archive_tables()), 0);
    EXPECT_EQ(digest_of_server(), digest_of_file(file()));
}

TEST(Stage, KeepsTheArchiveBesideTheLedger) {
    TempFolder folder;
    const auto file = folder / "sluice.db";
    sqlite::migrate(file);
    testing_support::add_ended_sale(file);
    testing_support::archive_ended_sale(file, 9'000'000);
    const Stage stage(folder / "stage");
    stage.copy_from(file);
    stage.bring_up_to_date();
    EXPECT_TRUE(fs::exists(folder / "stage/archive.db"));
    stage.expect_sound(kNow);
    fs::remove(folder / "stage/archive.db");
    EXPECT_THROW(stage.bring_up_to_date(), TransferError);
}

TEST(Stage, RefusesAnArchiveThatWasChanged) {
    TempFolder folder;
    const auto file = folder / "sluice.db";
    sqlite::migrate(file);
    testing_support::add_ended_sale(file);
    testing_support::archive_ended_sale(file, 9'000'000);
    const Stage stage(folder / "stage");
    stage.copy_from(file);
    stage.bring_up_to_date();
    sqlite::Database::open_writer(folder / "stage/archive.db")
        .run_script("UPDATE orders SET price_cents = 6");
    EXPECT_THROW(stage.expect_sound(kNow), TransferError);
}

TEST(Stage, RefusesALedgerThatBreaksAPromise) {
    TempFolder folder;
    const auto file = folder / "sluice.db";
    sqlite::migrate(file);
    testing_support::add_ended_sale(file);
    sqlite::Database::open_writer(file).run_script("UPDATE journal SET quantity = 2");
    const Stage stage(folder / "stage");
    stage.copy_from(file);
    stage.bring_up_to_date();
    EXPECT_THROW(stage.expect_sound(kNow), TransferError);
}

TEST(Stage, LeavesNothingBehind) {
    TempFolder folder;
    fs::create_directories(folder / "stage");
    std::ofstream(folder / "stage/sluice.db") << "of one that was killed";
    {
        const Stage stage(folder / "stage");
        EXPECT_FALSE(fs::exists(stage.ledger()));
    }
    EXPECT_FALSE(fs::exists(folder / "stage"));
}

}  // namespace
}  // namespace sluice::transfer
