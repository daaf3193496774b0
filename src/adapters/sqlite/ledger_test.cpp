#include "adapters/sqlite/ledger.hpp"

#include <gtest/gtest.h>

#include "adapters/sqlite/engine/migrate.hpp"
#include "base/run_to_end.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

class LedgerTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    LedgerOptions options{.file = folder / "ledger.db"};

    void SetUp() override { migrate(options.file); }

    static Account make_account(std::int64_t id) {
        return {.user = {.id = UserId{id},
                         .phone = std::to_string(10'000 + id),
                         .name = "",
                         .role = Role::buyer,
                         .created_at = from_millis(0)},
                .password_hash = std::nullopt};
    }
};

TEST_F(LedgerTest, WhatWasAcknowledgedIsThereAfterReopening) {
    {
        Ledger ledger(options);
        ASSERT_TRUE(run_to_end(ledger.users().add(make_account(1), std::nullopt)));
    }
    Ledger ledger(options);
    EXPECT_TRUE(run_to_end(ledger.users().find_by_phone("10001")));
}

TEST_F(LedgerTest, WhatWasAcknowledgedIsInACopyOfTheFilesAsACrashLeavesThem) {
    Ledger ledger(options);
    ASSERT_TRUE(run_to_end(ledger.users().add(make_account(1), std::nullopt)));
    const auto copy = folder / "copy.db";
    std::filesystem::copy_file(options.file, copy);
    std::filesystem::copy_file(options.file.string() + "-wal", copy.string() + "-wal");
    Ledger recovered({.file = copy});
    EXPECT_TRUE(run_to_end(recovered.users().find_by_phone("10001")));
}

TEST_F(LedgerTest, AReadSeesEveryWriteThatWasAcknowledgedBefore) {
    Ledger ledger(options);
    auto write_then_read = [](UserLedger& users) -> Task<int> {
        int seen = 0;
        for (int id = 1; id <= 200; ++id) {
            auto account = make_account(id);
            auto phone = account.user.phone;
            auto added = co_await users.add(std::move(account), std::nullopt);
            auto found = co_await users.find_by_phone(std::move(phone));
            if (added && found) ++seen;
        }
        co_return seen;
    };
    EXPECT_EQ(run_to_end(write_then_read(ledger.users())), 200);
}

TEST_F(LedgerTest, TwoLedgersShareAFile) {
    Ledger first(options);
    Ledger second(options);
    ASSERT_TRUE(run_to_end(first.users().add(make_account(1), std::nullopt)));
    ASSERT_TRUE(run_to_end(second.users().add(make_account(2), std::nullopt)));
    EXPECT_TRUE(run_to_end(second.users().find_by_phone("10001")));
    EXPECT_TRUE(run_to_end(first.users().find_by_phone("10002")));
}

TEST_F(LedgerTest, TheAuditTrailCannotBeRewritten) {
    auto database = Database::open_writer(options.file);
    database.run("INSERT INTO users VALUES (1, '1', '', 'admin', NULL, 0)");
    database.run("INSERT INTO audit_trail VALUES (1, 0, 1, NULL, '', '', '', '', '', '')");
    EXPECT_THROW(database.run("UPDATE audit_trail SET action = 'nothing'"), Error);
    EXPECT_THROW(database.run("DELETE FROM audit_trail"), Error);
}

void add_sale(Database& database, int id, int total, int left, int held, int sold) {
    database.run(
        "INSERT INTO sales VALUES (?1, 1, 'flash', 0, 'CNY', 0, NULL, NULL, 0, ?2, ?3, ?4, ?5, 2, "
        "1, 'none', 1, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', 'everyone', NULL, 0)",
        id, total, left, held, sold);
}

Database open_with_item(const std::filesystem::path& file) {
    auto database = Database::open_writer(file);
    database.run("INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0, '', '', 0)");
    return database;
}

TEST_F(LedgerTest, TheSchemaItselfForbidsImpossibleStock) {
    auto database = open_with_item(options.file);
    add_sale(database, 1, 3, 1, 1, 1);
    EXPECT_THROW(add_sale(database, 2, 3, 1, 1, 2), Error);
    EXPECT_THROW(add_sale(database, 3, 1, -1, 1, 1), Error);
    EXPECT_THROW(database.run("UPDATE sales SET stock_left = stock_left - 1"), Error);
    EXPECT_THROW(database.run("UPDATE sales SET stock_left = -1, stock_sold = 3"), Error);
}

TEST_F(LedgerTest, TheSchemaItselfForbidsABuyerMoreThanTheLimit) {
    auto database = open_with_item(options.file);
    add_sale(database, 1, 9, 9, 0, 0);
    EXPECT_THROW(database.run("INSERT INTO holdings VALUES (1, 7, 3, NULL)"), Error);
    EXPECT_THROW(database.run("INSERT INTO holdings VALUES (2, 7, 1, NULL)"), Error)
        << "no such sale";
    database.run("INSERT INTO holdings VALUES (1, 7, 2, NULL)");
    EXPECT_THROW(database.run("UPDATE holdings SET units = 3"), Error);
    EXPECT_THROW(database.run("INSERT OR REPLACE INTO holdings VALUES (1, 7, 3, NULL)"), Error);
    EXPECT_THROW(database.run("UPDATE holdings SET units = -1"), Error);
    EXPECT_THROW(database.run("UPDATE sales SET limit_per_buyer = 1"), Error);

    database.run("UPDATE sales SET limit_per_buyer = 3");
    database.run("UPDATE holdings SET units = 3");
    database.run("UPDATE holdings SET units = 0");
    database.run("UPDATE sales SET limit_per_buyer = 1");
}

TEST_F(LedgerTest, TheSchemaItselfKeepsATicketsStateReasonAndOrderTogether) {
    auto database = Database::open_writer(options.file);
    const auto add = [&](int state, std::optional<std::string_view> reason,
                         std::optional<int> order) {
        static int buyer = 0;
        database.run(
            "INSERT INTO journal VALUES (?1, 1, zeroblob(16), 1, 1, ?2, ?3, ?4, "
            "zeroblob(16), NULL, 0, 0, NULL)",
            ++buyer, state, reason, order);
    };
    add(1, std::nullopt, std::nullopt);
    add(2, std::nullopt, 5);
    add(3, "sold_out", std::nullopt);
    EXPECT_THROW(add(0, std::nullopt, std::nullopt), Error);
    EXPECT_THROW(add(1, "sold_out", std::nullopt), Error);
    EXPECT_THROW(add(1, std::nullopt, 5), Error);
    EXPECT_THROW(add(2, std::nullopt, std::nullopt), Error);
    EXPECT_THROW(add(2, "sold_out", 5), Error);
    EXPECT_THROW(add(3, std::nullopt, std::nullopt), Error);
    EXPECT_THROW(add(3, "sold_out", 5), Error);
    EXPECT_THROW(add(3, "bored", std::nullopt), Error);
}

}  // namespace
}  // namespace sluice::sqlite
