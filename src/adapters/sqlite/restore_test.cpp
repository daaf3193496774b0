#include "adapters/sqlite/restore.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/sqlite/backup.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/sqlite/migrate.hpp"
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
        Database::open_writer(file).run("INSERT INTO sessions VALUES (zeroblob(32), 1, 1)");
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
        auto row = database.query(sql);
        row.step();
        return row.column<std::int64_t>(0);
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

TEST_F(RestoreTest, RefusesOneThatBreaksAPromise) {
    wish.replace = true;
    Database::open_bare(copy).run_script(R"(
        INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0);
        INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 1000, 1000000, NULL, 0, 10, 9, 1, 0, 2,
                                  900, 'none', 1, 1, 0, 1, NULL);)");
    EXPECT_THAT(refusal(), HasSubstr("breaks a promise, I1 stock"));
    EXPECT_EQ(users(file), 2);
}

TEST_F(RestoreTest, RefusesOneOfANewerProgramAndNamesIt) {
    wish.replace = true;
    Database::open_bare(copy).run("INSERT INTO migrations VALUES (999, '0999_future.sql', 0)");
    EXPECT_THAT(refusal(), testing::StartsWith(copy.string()));
    EXPECT_THAT(refusal(), HasSubstr("newer than this program"));
}

TEST_F(RestoreTest, BringsAnOlderOneUpToDate) {
    clear();
    Database::open_bare(copy).run_script(
        "DELETE FROM migrations WHERE name LIKE '%webhooks.sql';"
        "DROP TRIGGER orders_are_told_of; DROP TRIGGER order_states_are_told_of;"
        "DROP TRIGGER sales_are_told_of; DROP VIEW next_webhook_event;"
        "DROP TABLE webhook_deliveries; DROP TABLE webhook_events;"
        "DROP TABLE webhook_wants; DROP TABLE webhooks;");
    EXPECT_GE(run().migrations, 1U);
    EXPECT_TRUE(migrate(file).applied.empty());
}

TEST_F(RestoreTest, KilledAtAnyStepItLeavesTheOldOrTheNewOne) {
    wish.replace = true;
    int steps = 0;
    restore(wish, [&](std::string_view) { ++steps; });
    for (int last = 1; last <= steps; ++last) {
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
        const bool is_new = users(file) == 1;
        EXPECT_EQ(users(file), is_new ? 1 : 2) << last;
        EXPECT_EQ(is_new, last == steps) << "only the flush comes after it is in place";
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
