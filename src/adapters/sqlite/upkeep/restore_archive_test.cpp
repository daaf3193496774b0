#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/restore.hpp"
#include "support/archived_sale.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A sale was paid and archived, and backed up so; then it was refunded and archived again. The
/// ledger and the backup call the same sale archived, with other rows.
class ArchivedRestoreTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    fs::path copy = folder / "backup.db";
    fs::path data = folder / "data";
    fs::path file = data / "sluice.db";
    fs::path kept = data / "sluice.db.before-20270115T080000000Z";
    static constexpr std::int64_t kNow = 1'800'000'000'000;
    RestoreWish wish{.from = copy,
                     .to = file,
                     .replace = true,
                     .now = from_millis(kNow),
                     .deed = testing_support::deed_at(kNow, "ledger.restore")};

    void SetUp() override {
        fs::create_directory(data);
        migrate(file);
        Database::open_writer(file).run("INSERT INTO users VALUES (1, '1', '', 'buyer', NULL, 0)");
        testing_support::add_ended_sale(file);
        testing_support::archive_ended_sale(file, kNow - 4);
        backup(file, copy, {});
        testing_support::bring_ended_sale_back(file, kNow - 3);
        testing_support::refund_ended_sale(file);
        testing_support::archive_ended_sale(file, kNow - 2);
        ASSERT_EQ(state(), "refunded");
    }
    Restored run() {
        return restore(wish, [](std::string_view) {});
    }
    void run_next(const fs::path& from) {
        wish.from = from;
        wish.now += std::chrono::milliseconds{1};
        wish.deed = testing_support::deed_at(to_millis(wish.now), "ledger.restore");
        run();
    }
    std::string refusal() {
        try {
            run();
        } catch (const RestoreError& error) {
            return error.what();
        }
        return "was restored";
    }
    /// Of the order, in the archive; with every promise kept.
    std::string state() {
        const auto report = audit(file, std::nullopt, wish.now).value();
        for (const auto& check : report.checks)
            if (!check.holds) return check.name + ": " + check.detail;
        auto archive = Database::open_reader(archive_of(file));
        return archive.row<std::string>("SELECT state FROM orders").value_or("none");
    }
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(data))
            found.insert(entry.path().filename().string());
        return found;
    }
};

TEST_F(ArchivedRestoreTest, ARefusedOneLeavesTheArchiveAsItWas) {
    wish.accept = {"I7 window"};
    EXPECT_THAT(refusal(), HasSubstr("no promise is called \"I7 window\""));
    EXPECT_EQ(state(), "refunded");
    wish.accept = {"I7 windows"};
    EXPECT_THAT(refusal(), HasSubstr("does not break"));
    EXPECT_EQ(state(), "refunded");
    wish.accept.clear();
    Database::open_bare(copy).run(
        "INSERT INTO sales SELECT 2, item_id, kind, price_cents, currency, 0, NULL, NULL, 0, 1, 0, "
        "1,"
        " 0, 1, 60, 'none', 5, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', 'everyone', NULL, "
        "0 FROM sales");
    EXPECT_THAT(refusal(), HasSubstr("breaks a promise"));
    EXPECT_EQ(state(), "refunded");
    EXPECT_THAT(names(), testing::ElementsAre("archive.db", "archive.lock", "sluice.db"));
}

TEST_F(ArchivedRestoreTest, TheWayBackStaysOpen) {
    const auto restored = run();
    EXPECT_EQ(restored.kept, kept);
    EXPECT_EQ(restored.kept_archive, archive_backup_of(kept));
    EXPECT_EQ(state(), "paid");

    run_next(kept);
    EXPECT_EQ(state(), "refunded");
    run_next(copy);
    EXPECT_EQ(state(), "paid");
    // Later writes to the archive must not reach the one that was kept.
    testing_support::bring_ended_sale_back(file, kNow + 5);
    testing_support::archive_ended_sale(file, kNow + 6);
    run_next(kept);
    EXPECT_EQ(state(), "refunded");
}

TEST_F(ArchivedRestoreTest, ABackupWithoutItsArchiveTakesWhatIsThere) {
    fs::remove(archive_backup_of(copy));
    EXPECT_THAT(refusal(), HasSubstr("needs its archive"));
    EXPECT_EQ(state(), "refunded");

    const auto again = folder / "again.db";
    backup(file, again, {});
    fs::remove(archive_backup_of(again));
    run_next(again);
    EXPECT_EQ(state(), "refunded");
}

TEST_F(ArchivedRestoreTest, AnArchiveThatTheBackupDoesNotNeedIsKept) {
    const auto empty = folder / "empty.db";
    migrate(folder / "other.db");
    backup(folder / "other.db", empty, {});
    run_next(empty);
    EXPECT_EQ(state(), "none");
    kept = data / "sluice.db.before-20270115T080000001Z";
    run_next(kept);
    EXPECT_EQ(state(), "refunded");
}

TEST_F(ArchivedRestoreTest, AnArchiveWhoseLedgerIsGoneIsKept) {
    for (const auto* suffix : {"", "-wal", "-shm"}) fs::remove(file.string() + suffix);
    const auto restored = run();
    EXPECT_EQ(restored.kept, std::nullopt);
    EXPECT_EQ(restored.kept_archive, archive_backup_of(kept));
    EXPECT_EQ(state(), "paid");
}

TEST_F(ArchivedRestoreTest, RefusesWhileSomebodyUsesTheArchive) {
    const auto reader = Database::open_writer(archive_of(file));
    EXPECT_THAT(refusal(), HasSubstr("another process is using"));
}

TEST_F(ArchivedRestoreTest, ALogOfAnArchiveThatIsNotThereIsRefused) {
    fs::remove(archive_of(file));
    std::ofstream(archive_of(file).string() + "-wal") << "x";
    EXPECT_THAT(refusal(), HasSubstr("archive.db-wal belongs to"));
}

/// The two renames cannot be one step. Whoever comes next finishes them.
TEST_F(ArchivedRestoreTest, KilledAtAnyStepItLeavesOnePairOrTheOther) {
    const auto origin = folder / "origin";
    fs::copy(data, origin);
    std::vector<std::string> steps;
    restore(wish, [&](std::string_view step) { steps.emplace_back(step); });
    const auto decided =
        std::ranges::find(steps, "putting the archive in place") - steps.begin() + 1;
    ASSERT_LT(decided, std::ssize(steps)) << "there are steps between the renames";
    for (int last = 1; last <= std::ssize(steps); ++last) {
        fs::remove_all(data);
        fs::copy(origin, data);
        const auto child = ::fork();
        if (child == 0) {
            int step = 0;
            restore(wish, [&](std::string_view) {
                if (++step == last) ::_exit(7);
            });
            ::_exit(0);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_EQ(WEXITSTATUS(status), 7) << last;

        const auto halfway = folder / "halfway";
        fs::remove_all(halfway);
        fs::copy(data, halfway);
        EXPECT_EQ(finish_restore(file), last >= decided && last < std::ssize(steps))
            << steps[last - 1];
        EXPECT_EQ(state(), last < decided ? "refunded" : "paid") << steps[last - 1];
        EXPECT_FALSE(finish_restore(file));
        if (last >= decided) {
            run_next(kept);
            EXPECT_EQ(state(), "refunded") << "the way back, " << steps[last - 1];
        }

        // A restore that comes next finishes it too, and loses nothing.
        fs::remove_all(data);
        fs::copy(halfway, data);
        run_next(copy);
        EXPECT_EQ(state(), "paid") << steps[last - 1];
        for (const auto& name : names())
            EXPECT_TRUE(name.find(".restor") == std::string::npos) << name;
        wish.from = copy;
        wish.now = from_millis(kNow);
        wish.deed = testing_support::deed_at(kNow, "ledger.restore");
    }
}

TEST_F(ArchivedRestoreTest, TheMarkOfTheOldLedgerGoesInTheSameStep) {
    std::ofstream(mark_file_of(file)) << "9\n";
    EXPECT_THROW(restore(wish,
                         [](std::string_view step) {
                             if (step == "putting the ledger in place") throw RestoreError("ended");
                         }),
                 RestoreError);
    ASSERT_TRUE(finish_restore(file));
    EXPECT_FALSE(fs::exists(mark_file_of(file)));
    EXPECT_EQ(state(), "paid");
}

TEST_F(ArchivedRestoreTest, WhatSomebodyElseWroteInBetweenIsNotMixedIn) {
    EXPECT_THROW(restore(wish,
                         [](std::string_view step) {
                             if (step == "putting the ledger in place") throw RestoreError("ended");
                         }),
                 RestoreError);
    std::ofstream(file.string() + "-wal") << "x";
    EXPECT_THROW(finish_restore(file), RestoreError);
    fs::remove(file.string() + "-wal");
    ASSERT_TRUE(finish_restore(file));
    EXPECT_EQ(state(), "paid");
}

}  // namespace
}  // namespace sluice::sqlite
