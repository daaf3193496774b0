#include "adapters/sqlite/upkeep/backup.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

class BackupTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";
    std::filesystem::path target = folder / "copy.db";

    void SetUp() override { migrate(file); }

    /// Two users in one transaction: a copy with an odd number of them is inconsistent.
    static void add_pair(Database& database, int number) {
        database.run("SAVEPOINT pair");
        for (int id : {2 * number + 1, 2 * number + 2})
            database.run("INSERT INTO users VALUES (?1, ?2, ?3, 'buyer', NULL, 0)", id,
                         std::to_string(id), std::string(500, 'x'));
        database.run("RELEASE pair");
    }
    static std::int64_t count_users(const std::filesystem::path& path) {
        auto database = Database::open_reader(path);
        return database.value<std::int64_t>("SELECT count(*) FROM users");
    }
    std::size_t count_files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(folder.path()), {}));
    }
};

TEST_F(BackupTest, CopiesOneInstantWhileSomebodyWrites) {
    auto database = Database::open_writer(file);
    int pairs = 0;
    database.run("BEGIN IMMEDIATE");
    for (; pairs < 10'000; ++pairs) add_pair(database, pairs);
    database.run("COMMIT");
    // Each slice of the copy is followed by a commit, as beside a busy server.
    int slices = 0;
    backup(file, target, [&](int done, int total) {
        EXPECT_LE(done, total);
        if (++slices > 20) throw std::runtime_error("the copy started over");
        add_pair(database, pairs++);
    });
    EXPECT_GT(slices, 2);
    EXPECT_EQ(count_users(target), 20'000) << "what was there when it began";
}

TEST_F(BackupTest, IsALedgerOfItsOwnInOneFileForItsOwnerOnly) {
    backup(file, target, {});
    EXPECT_EQ(count_files(), 2U + 2U) << "the ledger with its log and index, and the copy alone";
    struct stat status{};
    ASSERT_EQ(::stat(target.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_TRUE(migrate(target).applied.empty());
    Ledger({.file = target});
}

TEST_F(BackupTest, RefusesAnExistingTarget) {
    std::ofstream(target) << "precious";
    EXPECT_THROW(backup(file, target, {}), BackupError);
    EXPECT_EQ(std::filesystem::file_size(target), 8U);
}

TEST_F(BackupTest, RefusesATargetThatAppearedMeanwhile) {
    EXPECT_THROW(backup(file, target, [&](int, int) { std::ofstream(target) << "precious"; }),
                 BackupError);
    EXPECT_EQ(std::filesystem::file_size(target), 8U);
    EXPECT_FALSE(std::filesystem::exists(folder / "copy.db.partial"));
}

TEST_F(BackupTest, RefusesToShareItsPartialFile) {
    std::ofstream(folder / "copy.db.partial") << "another's";
    EXPECT_THROW(backup(file, target, {}), BackupError);
    EXPECT_EQ(std::filesystem::file_size(folder / "copy.db.partial"), 9U);
}

TEST_F(BackupTest, LeavesNothingBehindWhenItFails) {
    EXPECT_THROW(backup(folder / "absent.db", target, {}), BackupError);
    EXPECT_THROW(backup(file, folder / "no-such-folder" / "copy.db", {}), BackupError);
    EXPECT_THROW(backup(file, target, [](int, int) { throw std::runtime_error("interrupted"); }),
                 std::runtime_error);
    std::ofstream(folder / "junk.db") << std::string(10'000, 'x');
    EXPECT_THROW(backup(folder / "junk.db", target, {}), BackupError);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        EXPECT_EQ(entry.path().filename().string().find("copy"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace sluice::sqlite
