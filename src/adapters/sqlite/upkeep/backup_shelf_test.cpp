#include "adapters/sqlite/upkeep/backup_shelf.hpp"

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/restore.hpp"
#include "support/archived_sale.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BackupShelfTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    fs::path file = folder / "sluice.db";
    fs::path where = folder / "backups";
    const Timestamp eight = from_millis(1'800'000'000'000);  // 2027-01-15T08:00:00Z
    std::atomic<bool> stop = false;

    void SetUp() override { migrate(file); }

    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(where))
            found.insert(entry.path().filename().string());
        return found;
    }
    static unsigned mode_of(const fs::path& path) {
        struct stat status{};
        EXPECT_EQ(::stat(path.c_str(), &status), 0);
        return status.st_mode & 0777;
    }
    /// As only a program with a bug could: more is left than there is in total.
    void break_a_promise() {
        auto database = Database::open_writer(file);
        database.run_script(
            "INSERT INTO items VALUES (1, 'a', '', '', 5, 'CNY', 1, 0, '', '', 0);"
            "INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, paused,"
            " stock_total, stock_left, stock_held, stock_sold, limit_per_buyer, hold_seconds,"
            " challenge, gate_factor, version, created_at)"
            " VALUES (1, 1, 'standing', 5, 'CNY', 0, 0, 2, 1, 1, 0, 1, 60, 'none', 5, 1, 0)");
    }
};

TEST_F(BackupShelfTest, ABackupIsProvenAndForItsOwnerOnly) {
    BackupShelf shelf(where);
    EXPECT_EQ(shelf.newest(), std::nullopt);
    const auto taken = shelf.take(file, eight, stop);
    EXPECT_FALSE(taken.broken);
    EXPECT_EQ(taken.file, where / "sluice-20270115T080000Z.db");
    EXPECT_THAT(names(), ElementsAre("sluice-20270115T080000Z.db"));
    EXPECT_EQ(mode_of(where), 0700U);
    EXPECT_EQ(mode_of(taken.file), 0600U);
    EXPECT_EQ(shelf.newest(), eight);
}

TEST_F(BackupShelfTest, OldOnesGoAndOthersFilesStay) {
    BackupShelf shelf(where);
    std::ofstream(where / "notes.txt") << "mine";
    std::ofstream(where / "sluice-monday.db") << "mine";
    for (int hour = 0; hour < 4; ++hour) {
        shelf.take(file, eight + std::chrono::hours{hour}, stop);
        shelf.prune(2);
    }
    EXPECT_THAT(names(), ElementsAre("notes.txt", "sluice-20270115T100000Z.db",
                                     "sluice-20270115T110000Z.db", "sluice-monday.db"));
}

TEST_F(BackupShelfTest, WhatAKillLeftIsNoBackupAndIsRemoved) {
    BackupShelf shelf(where);
    for (const auto* name :
         {"sluice-20270115T070000Z.unchecked", "sluice-20270115T070000Z.unchecked.partial",
          "sluice-20270115T070000Z.unchecked.partial-journal"})
        std::ofstream(where / name) << "half";
    EXPECT_EQ(shelf.newest(), std::nullopt);
    shelf.take(file, eight, stop);
    EXPECT_THAT(names(), ElementsAre("sluice-20270115T080000Z.db"));
}

TEST_F(BackupShelfTest, ABrokenPromiseIsNamedAndPushesNoProvenOneOut) {
    BackupShelf shelf(where);
    shelf.take(file, eight, stop);
    break_a_promise();
    for (int hour = 1; hour < 4; ++hour) {
        const auto taken = shelf.take(file, eight + std::chrono::hours{hour}, stop);
        ASSERT_TRUE(taken.broken);
        EXPECT_THAT(*taken.broken, HasSubstr("I1"));
        shelf.prune(1);
    }
    EXPECT_THAT(names(),
                ElementsAre("sluice-20270115T080000Z.db", "sluice-20270115T110000Z.unproven.db"));
    EXPECT_EQ(shelf.newest(), eight);
}

/// With a sale in the archive: each backup is a pair of files.
class BackupShelfWithArchiveTest : public BackupShelfTest {
  protected:
    void SetUp() override {
        BackupShelfTest::SetUp();
        testing_support::add_ended_sale(file);
        testing_support::archive_ended_sale(file, to_millis(eight));
    }
};

TEST_F(BackupShelfWithArchiveTest, TheLedgerAndItsArchiveAreProvenTogether) {
    BackupShelf shelf(where);
    const auto taken = shelf.take(file, eight, stop);
    EXPECT_EQ(taken.broken, std::nullopt);
    EXPECT_THAT(names(),
                ElementsAre("sluice-20270115T080000Z.db", "sluice-20270115T080000Z.db.archive"));
    EXPECT_EQ(mode_of(archive_backup_of(taken.file)), 0600U);
    EXPECT_EQ(shelf.newest(), eight);

    const auto restored = folder / "restored.db";
    restore({.from = taken.file,
             .to = restored,
             .now = eight,
             .deed = testing_support::deed_at(to_millis(eight) + 1, "ledger.restore")},
            [](std::string_view) {});
    EXPECT_TRUE(fs::exists(restored));
}

TEST_F(BackupShelfWithArchiveTest, AChangedArchiveIsABrokenPromise) {
    BackupShelf shelf(where);
    Database::open_writer(folder / "archive.db").run("UPDATE orders SET price_cents = 6");
    EXPECT_THROW(shelf.take(file, eight, stop), BackupError);
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(BackupShelfWithArchiveTest, OldOnesGoAsPairs) {
    BackupShelf shelf(where);
    std::ofstream(where / "sluice-monday.db.archive") << "mine";
    std::ofstream(where / "sluice-20270101T080000Z.db.archive") << "moved here by hand";
    for (int hour = 0; hour < 3; ++hour) {
        shelf.take(file, eight + std::chrono::hours{hour}, stop);
        shelf.prune(1);
    }
    EXPECT_THAT(names(),
                ElementsAre("sluice-20270101T080000Z.db.archive", "sluice-20270115T100000Z.db",
                            "sluice-20270115T100000Z.db.archive", "sluice-monday.db.archive"));
}

TEST_F(BackupShelfWithArchiveTest, UnprovenOnesGoAsPairs) {
    BackupShelf shelf(where);
    Database::open_writer(file).run(
        "INSERT INTO sales SELECT 2, item_id, 'standing', price_cents, currency, 0, NULL, NULL, 0,"
        " 2, 1, 1, 0, 1, 60, 'none', 5, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', "
        "'everyone', NULL, 0 FROM "
        "sales");
    for (int hour = 0; hour < 3; ++hour) {
        EXPECT_TRUE(shelf.take(file, eight + std::chrono::hours{hour}, stop).broken);
        shelf.prune(1);
    }
    EXPECT_THAT(names(), ElementsAre("sluice-20270115T100000Z.unproven.db",
                                     "sluice-20270115T100000Z.unproven.db.archive"));
}

TEST_F(BackupShelfWithArchiveTest, WhatAKillLeftIsRemoved) {
    BackupShelf shelf(where);
    const auto make = [&](std::initializer_list<const char*> left) {
        for (const auto* name : left) std::ofstream(where / name) << "half";
    };
    make({"sluice-20270115T050000Z.unchecked.archive", "sluice-20270115T050000Z.unchecked.partial",
          "sluice-20270115T050000Z.unchecked.archive.partial",
          "sluice-20270115T050000Z.unchecked.archive.partial-journal"});
    // Between the two names that a backup gets, and between the two removals of an old one.
    make({"sluice-20270115T060000Z.unchecked", "sluice-20270115T060000Z.db.archive"});
    make({"sluice-20270115T070000Z.unchecked", "sluice-20270115T070000Z.unproven.db.archive"});
    shelf.take(file, eight, stop);
    EXPECT_THAT(names(),
                ElementsAre("sluice-20270115T080000Z.db", "sluice-20270115T080000Z.db.archive"));
}

TEST_F(BackupShelfTest, ADamagedDatabaseGivesNoBackup) {
    BackupShelf shelf(where);
    std::ofstream(file, std::ios::in | std::ios::binary).seekp(5000) << std::string(3000, 'x');
    EXPECT_THROW(shelf.take(file, eight, stop), BackupError);
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(BackupShelfTest, EndsEarlyAndLeavesNothing) {
    BackupShelf shelf(where);
    stop = true;
    EXPECT_THROW(shelf.take(file, eight, stop), BackupError);
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(BackupShelfTest, IsUsedByOneAtATime) {
    const BackupShelf shelf(where);
    EXPECT_THROW(BackupShelf{where}, BackupError);
}

TEST_F(BackupShelfTest, AFolderThatCannotBeMade) {
    EXPECT_THROW(BackupShelf{file / "backups"}, BackupError);
}

}  // namespace
}  // namespace sluice::sqlite
