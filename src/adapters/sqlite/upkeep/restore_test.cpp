#include "adapters/sqlite/upkeep/restore.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/migrations.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A backup with user 1 and a ledger with users 1 and 2.
class RestoreTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    fs::path copy = folder / "backup.db";
    fs::path file = folder / "sluice.db";
    RestoreWish wish{.from = copy,
                     .to = file,
                     .now = from_millis(1'800'000'000'000),
                     .deed = {.id = DeedId{1},
                              .at = from_millis(1'800'000'000'000),
                              .actor = std::nullopt,
                              .os_user = "root",
                              .address = "",
                              .request_id = "",
                              .action = "ledger.restore",
                              .subject = "backup.db",
                              .before = "",
                              .after = ""}};
    const fs::path kept = folder / "sluice.db.before-20270115T080000000Z";

    void SetUp() override {
        migrate(file);
        add_user(1);
        Database::open_writer(file).run(
            "INSERT INTO sessions VALUES (zeroblob(32), 1, 1, 1, 0, '')");
        backup(file, copy, {});
        add_user(2);
    }
    void add_user(int id) {
        Database::open_writer(file).run("INSERT INTO users VALUES (?1, ?2, '', 'admin', NULL, 0)",
                                        id, std::to_string(id));
    }
    void clear() {
        for (const auto* suffix : {"", "-wal", "-shm"}) fs::remove(file.string() + suffix);
    }
    static std::int64_t count(const fs::path& of, std::string_view sql) {
        auto database = Database::open_bare(of);
        return database.value<std::int64_t>(sql);
    }
    static std::int64_t users(const fs::path& of) {
        return count(of, "SELECT count(*) FROM users");
    }

    Restored run() {
        return restore(wish, [](std::string_view) {});
    }
    std::string refusal() {
        try {
            run();
        } catch (const RestoreError& error) {
            return error.what();
        }
        return "was restored";
    }
    bool has_draft() const {
        for (const auto& entry : fs::directory_iterator(folder.path()))
            if (entry.path().string().find(".restoring") != std::string::npos) return true;
        return false;
    }
};

TEST_F(RestoreTest, IntoAnEmptyFolder) {
    clear();
    const auto restored = run();
    EXPECT_FALSE(restored.kept);
    EXPECT_EQ(restored.migrations, 0U);
    EXPECT_EQ(users(file), 1);
    struct stat status{};
    ASSERT_EQ(::stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_FALSE(has_draft());
    EXPECT_EQ(count(file, "SELECT count(*) FROM audit_trail WHERE action = 'ledger.restore'"), 1);
    Ledger({.file = file});
}

TEST_F(RestoreTest, InPlaceKeepsWhatWasThere) {
    wish.replace = true;
    EXPECT_EQ(run().kept, kept);
    EXPECT_EQ(users(file), 1);
    EXPECT_EQ(users(kept), 2);
    EXPECT_FALSE(fs::exists(file.string() + "-wal"));
    EXPECT_FALSE(has_draft());

    wish.from = kept;
    wish.now += std::chrono::milliseconds{1};
    run();
    EXPECT_EQ(users(file), 2) << "what was kept can be restored in its turn";
}

TEST_F(RestoreTest, NothingIsLostThatWasOnlyInTheLog) {
    // As a crash leaves it: committed, and not yet in the database's own file.
    const auto crashed = folder / "crashed.db";
    {
        auto database = Database::open_writer(file);
        database.run("INSERT INTO users VALUES (3, '3', '', 'admin', NULL, 0)");
        fs::copy_file(file, crashed);
        fs::copy_file(file.string() + "-wal", crashed.string() + "-wal");
    }
    wish.to = crashed;
    wish.replace = true;
    EXPECT_EQ(users(*run().kept), 3);
    EXPECT_EQ(users(crashed), 1);
    EXPECT_FALSE(fs::exists(crashed.string() + "-wal"));
}

TEST_F(RestoreTest, ReplacesNothingUnlessTold) {
    EXPECT_THAT(refusal(), HasSubstr("--replace"));
    EXPECT_EQ(users(file), 2);
    EXPECT_FALSE(fs::exists(kept));
}

TEST_F(RestoreTest, AnEmptyLedgerIsNoLoss) {
    clear();
    migrate(file);
    run();
    EXPECT_EQ(users(file), 1);
}

TEST_F(RestoreTest, SessionsDoNotComeBackToLife) {
    clear();
    ASSERT_EQ(count(copy, "SELECT count(*) FROM sessions"), 1);
    run();
    EXPECT_EQ(count(file, "SELECT count(*) FROM sessions"), 0);
    EXPECT_EQ(count(copy, "SELECT count(*) FROM sessions"), 1) << "the backup stays as it is";
}

TEST_F(RestoreTest, RefusesWhileSomebodyUsesTheDatabase) {
    wish.replace = true;
    const auto reader = Database::open_writer(file);
    EXPECT_THAT(refusal(), HasSubstr("another process is using"));
    EXPECT_EQ(users(file), 2);
}

TEST_F(RestoreTest, RefusesWhatIsNoBackup) {
    wish.replace = true;
    wish.from = folder / "junk";
    EXPECT_THAT(refusal(), HasSubstr("cannot read"));
    std::ofstream(wish.from) << std::string(10'000, 'x');
    EXPECT_THAT(refusal(), HasSubstr("not a database"));
    wish.from = folder / "in-use.db";
    migrate(wish.from);
    EXPECT_THAT(refusal(), HasSubstr("not a backup"));
    wish.from = folder / "foreign.db";
    std::ofstream(wish.from).close();
    Database::open_bare(wish.from).run("CREATE TABLE theirs (x)");
    EXPECT_THAT(refusal(), HasSubstr("not made by sluice"));
    EXPECT_EQ(users(file), 2);
    EXPECT_FALSE(has_draft());
}

TEST_F(RestoreTest, RefusesAnEmptyOne) {
    wish.replace = true;
    wish.from = folder / "empty.db";
    std::ofstream(wish.from).close();
    auto empty = Database::open_bare(wish.from);
    empty.run("CREATE TABLE x (x)");
    empty.run("DROP TABLE x");
    EXPECT_THAT(refusal(), HasSubstr("it is empty"));
}

TEST_F(RestoreTest, RefusesADamagedOne) {
    wish.replace = true;
    {
        std::fstream bytes(copy, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(8 * 4096);
        bytes << std::string(4096, '\xff');
    }
    EXPECT_THAT(refusal(), HasSubstr("damaged"));
    EXPECT_EQ(users(file), 2);
}

TEST_F(RestoreTest, RefusesOneThatWasCutShort) {
    wish.replace = true;
    fs::resize_file(copy, fs::file_size(copy) / 2);
    EXPECT_NE(refusal(), "was restored");
    EXPECT_EQ(users(file), 2);
}

/// With a sale of which a unit is held for nobody.
class BrokenRestoreTest : public RestoreTest {
  protected:
    void SetUp() override {
        RestoreTest::SetUp();
        wish.replace = true;
        Database::open_bare(copy).run_script(R"(
            INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0, '', '', 0);
            INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 1000, 1000000, NULL, 0, 10, 9, 1, 0,
                                      2, 900, 'none', 1, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none',
                                      '', '', '', 'everyone', NULL, 0);)");
    }
    AuditReport::Check check_of(std::string_view name) {
        const auto report = audit(file, std::nullopt, wish.now).value();
        return *std::ranges::find(report.checks, name, &AuditReport::Check::name);
    }
};

TEST_F(BrokenRestoreTest, IsRefused) {
    EXPECT_THAT(refusal(), HasSubstr("breaks a promise, I1 stock"));
    EXPECT_THAT(refusal(), HasSubstr("--accept \"I1 stock\""));
    EXPECT_EQ(users(file), 2);
}

TEST_F(BrokenRestoreTest, IsRestoredWhenThatIsAccepted) {
    wish.accept = {"I1 stock"};
    const auto restored = run();
    ASSERT_EQ(restored.accepted.size(), 1U);
    EXPECT_EQ(restored.accepted[0].name, "I1 stock");
    EXPECT_EQ(users(file), 1);
    const auto check = check_of("I1 stock");
    EXPECT_TRUE(check.holds);
    EXPECT_THAT(check.detail, HasSubstr("accepted at a restore: sale 1 has 1 held"));
    EXPECT_TRUE(check_of("audit trail").holds);

    // Only what was accepted counts as accepted: what is found later does not.
    Database::open_writer(file).run("UPDATE sales SET stock_held = 2, stock_left = 8 WHERE id = 1");
    EXPECT_FALSE(check_of("I1 stock").holds);
}

TEST_F(BrokenRestoreTest, WhatWasAcceptedIsAcceptedInLaterBackups) {
    wish.accept = {"I1 stock"};
    run();
    fs::remove(copy);
    backup(file, copy, {});
    wish.now += std::chrono::seconds{1};
    wish.deed.id = DeedId{wish.deed.id.value + 1};
    EXPECT_THAT(refusal(), HasSubstr("does not break \"I1 stock\""));
    wish.accept.clear();
    EXPECT_TRUE(run().accepted.empty());
    EXPECT_TRUE(check_of("I1 stock").holds);
}

TEST_F(BrokenRestoreTest, OnlyWhatIsBrokenCanBeAccepted) {
    wish.accept = {"I1 stock", "I2 limits"};
    EXPECT_THAT(refusal(), HasSubstr("does not break \"I2 limits\""));
    wish.accept = {"I1"};
    EXPECT_THAT(refusal(), HasSubstr("no promise is called \"I1\". There are: \"I1 stock\""));
    EXPECT_THAT(refusal(), HasSubstr("\"audit trail\" \"archive\""));
    EXPECT_EQ(users(file), 2);
    EXPECT_FALSE(has_draft());
}

TEST_F(RestoreTest, RefusesOneOfANewerProgramAndNamesIt) {
    wish.replace = true;
    Database::open_bare(copy).run("INSERT INTO migrations VALUES (999, '0999_future.sql', 0)");
    EXPECT_THAT(refusal(), testing::StartsWith(copy.string()));
    EXPECT_THAT(refusal(), HasSubstr("newer than this program"));
}

TEST_F(RestoreTest, BringsAnOlderOneUpToDate) {
    clear();
    fs::remove(copy);
    {
        std::ofstream(copy).close();
        auto older = Database::open_bare(copy);
        for (std::size_t i = 0; i + 1 < migrations::files.size(); ++i) {
            const auto& [name, script] = migrations::files[i];
            older.run_script(script);
            older.run("INSERT INTO migrations VALUES (?1, ?2, 0)", i + 1, name);
        }
    }
    EXPECT_EQ(run().migrations, 1U);
    EXPECT_TRUE(migrate(file).applied.empty());
}

TEST_F(RestoreTest, KilledAtAnyStepItLeavesTheOldOrTheNewOne) {
    wish.replace = true;
    std::vector<std::string> steps;
    restore(wish, [&](std::string_view step) { steps.emplace_back(step); });
    const auto decided = std::ranges::find(steps, "deciding") - steps.begin() + 1;
    for (int last = 1; last <= std::ssize(steps); ++last) {
        clear();
        fs::remove(kept);
        migrate(file);
        add_user(1);
        add_user(2);
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
        finish_restore(file);
        const bool is_new = last > decided;
        EXPECT_EQ(users(file), is_new ? 1 : 2) << last;
        EXPECT_TRUE(migrate(file).applied.empty());
        fs::remove(kept);
        run();
        EXPECT_EQ(users(file), 1);
        EXPECT_EQ(users(kept), is_new ? 1 : 2);
        EXPECT_FALSE(has_draft()) << last;
    }
}

}  // namespace
}  // namespace sluice::sqlite
