#include "adapters/sqlite/upkeep/audit.hpp"

#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using testing::HasSubstr;

/// A store on which all promises hold: sale 1 with two pending orders, a paid, a cancelled and a
/// refunded one, a refusal and a ticket that has just been prepared; sale 2 with nothing. Times
/// are small, so that they can be read: the window is [1000, 1000000), each buyer claims at 10000
/// times their id.
constexpr std::string_view kSound = R"(
    INSERT INTO users VALUES (1, '1', '', 'admin', NULL, 0);
    INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0, '', '', 0);
    INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 1000, 1000000, NULL, 0, 10, 6, 3, 1, 2, 900,
                              'none', 1, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', 'everyone', NULL, 0);
    INSERT INTO sales VALUES (2, 1, 'flash', 5, 'CNY', 1000, NULL, NULL, 0, 10, 10, 0, 0, 2, 900,
                              'none', 1, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', 'everyone', NULL, 0);
    CREATE TEMP TABLE bought (buyer, quantity, state, paid_at);
    INSERT INTO bought VALUES (1, 1, 'pending', NULL), (2, 2, 'pending', NULL), (3, 1, 'paid', 7),
                              (4, 2, 'cancelled', NULL), (5, 1, 'refunded', 7);
    INSERT INTO orders SELECT 100 + buyer, 1, 1, buyer, zeroblob(16), quantity, 5, 'CNY', state,
                              10000 * buyer, 900000 + 10000 * buyer, paid_at FROM bought;
    INSERT INTO journal SELECT buyer, 1, zeroblob(16), quantity, 1, 2, NULL, 100 + buyer,
                               zeroblob(16), NULL, 10000 * buyer, 0, NULL FROM bought;
    INSERT INTO holdings SELECT 1, buyer, iif(state IN ('pending', 'paid'), quantity, 0),
                                zeroblob(16) FROM bought;
    INSERT INTO journal VALUES (6, 1, zeroblob(16), 1, 1, 3, 'sold_out', NULL, zeroblob(16), NULL,
                                1, 0, NULL),
                               (7, 1, zeroblob(16), 1, 1, 1, NULL, NULL, zeroblob(16), NULL,
                                70000, 0, NULL);
    INSERT INTO holdings VALUES (1, 6, 0, zeroblob(16)), (1, 7, 0, zeroblob(16));
    INSERT INTO payments VALUES (201, 103, 'sandbox', 5, 'CNY', 'captured', 'a', '/a', 0),
                                (202, 105, 'sandbox', 5, 'CNY', 'refunded', 'b', '/b', 0),
                                (203, 104, 'sandbox', 10, 'CNY', 'refunded', 'c', '/c', 0),
                                (204, 102, 'sandbox', 10, 'CNY', 'pending', NULL, NULL, 0);
    INSERT INTO charges VALUES (301, 201, 103, 'sandbox', 'paid', 5, 'CNY', 1, 7),
                               (302, 202, 105, 'sandbox', 'returned', 5, 'CNY', 1, 7),
                               (303, 203, 104, 'sandbox', 'late', 10, 'CNY', 0, 7),
                               (304, 201, 103, 'sandbox', 'twice', 5, 'CNY', 0, 7);
    INSERT INTO refunds VALUES (302, 'operator', 8, 1, NULL, 9, 'sandbox', 105, 0),
                               (303, 'late', 8, 0, 9, NULL, 'sandbox', 104, 0),
                               (304, 'surplus', 8, 1, NULL, 9, 'sandbox', 103, 0);
)";

class AuditTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";
    Timestamp now = from_millis(300'000 + 70'000);

    void SetUp() override {
        migrate(file);
        plant(kSound);
    }
    /// Changes rows in spite of all constraints and triggers of the database.
    void plant(std::string_view sql) {
        auto database = Database::open_writer(file);
        database.run_script("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF");
        database.run_script(sql);
    }
    void deed(int id, std::string_view action, int at) {
        auto database = Database::open_writer(file);
        database.run("INSERT INTO audit_trail VALUES (?1, ?2, 1, NULL, '', '', ?3, '1', '', '')",
                     id, at, action);
    }
    AuditReport run(std::optional<SaleId> sale = {}) {
        auto report = audit(file, sale, now);
        EXPECT_TRUE(report);
        EXPECT_EQ(report->checks.size(), 12U);
        return *report;
    }
    /// Only this promise is broken, and the report of who breaks it contains the text.
    void expect_broken(std::string_view name, const std::string& by) {
        for (const auto& check : run().checks) {
            const bool meant = check.name.starts_with(name);
            EXPECT_EQ(check.holds, !meant) << check.name << ": " << check.detail;
            if (meant) {
                EXPECT_THAT(check.detail, HasSubstr(by));
            }
        }
        EXPECT_FALSE(run().holds());
        EXPECT_FALSE(run(SaleId{1}).holds());
        EXPECT_TRUE(run(SaleId{2}).holds()) << "the other sale is not to blame";
    }
    void expect_sound() {
        for (const auto& check : run().checks)
            EXPECT_TRUE(check.holds) << check.name << ": " << check.detail;
    }
};

TEST_F(AuditTest, FindsNothingWhereNothingIsWrong) {
    expect_sound();
    EXPECT_TRUE(run(SaleId{1}).holds());
}

TEST_F(AuditTest, TellsOfRefundsThatAreStillOwed) {
    const auto told = [this](std::optional<SaleId> sale) {
        for (const auto& check : run(sale).checks)
            if (check.name == "I5 owed") return check.detail;
        return std::string();
    };
    EXPECT_THAT(
        told({}),
        HasSubstr("1 not carried out yet by sandbox: 10 CNY in minor units, the oldest since "
                  "1970-01-01T00:00:00.008Z"));
    EXPECT_EQ(told(SaleId{2}), "every refund has been carried out");
}

TEST_F(AuditTest, NoticesStockThatDoesNotAddUp) {
    plant("UPDATE sales SET stock_left = 7 WHERE id = 1");
    expect_broken("I1", "sale 1 has 10 in total, but 7 left, 3 held and 1 sold");
}

TEST_F(AuditTest, NoticesNegativeStock) {
    plant("UPDATE sales SET stock_left = -1, stock_total = 3 WHERE id = 1");
    expect_broken("I1", "-1 left");
}

TEST_F(AuditTest, NoticesUnitsThatNoOrderHolds) {
    plant("UPDATE sales SET stock_left = 5, stock_held = 4 WHERE id = 1");
    expect_broken("I1", "4 held and 1 sold, but its orders say 3 and 1");
}

TEST_F(AuditTest, NoticesUnitsSoldThatNoOrderPaid) {
    plant("UPDATE sales SET stock_left = 5, stock_sold = 2 WHERE id = 1");
    expect_broken("I1", "3 held and 2 sold, but its orders say 3 and 1");
}

TEST_F(AuditTest, NoticesABuyerOverTheLimit) {
    plant("DROP TRIGGER limits_are_not_cut_below_what_is_held");
    plant("UPDATE sales SET limit_per_buyer = 1 WHERE id = 1");
    auto database = Database::open_reader(file);
    const auto report = audit(database, {}, now);
    EXPECT_FALSE(report->checks[1].holds);
    EXPECT_THAT(report->checks[1].detail, HasSubstr("buyer 2 in sale 1 has 2 units"));
}

TEST_F(AuditTest, NoticesHoldingsThatAreNotWhatTheOrdersSay) {
    plant("UPDATE holdings SET units = 0 WHERE buyer_id = 2");
    expect_broken("I2", "buyer 2 in sale 1 has 2 units in live orders and 0 in holdings");
}

TEST_F(AuditTest, NoticesHoldingsWithoutAnyOrder) {
    plant("INSERT INTO holdings VALUES (1, 99, 1, NULL)");
    expect_broken("I2", "buyer 99");
}

TEST_F(AuditTest, NoticesATicketThatItsBuyersHoldingsDoNotLeadTo) {
    plant("DELETE FROM holdings WHERE buyer_id = 6");
    expect_broken("I4", "of buyer 6 in sale 1 is not found by its buyer's holdings");
    plant("INSERT INTO holdings VALUES (1, 6, 0, NULL)");
    expect_broken("I4", "of buyer 6 in sale 1 is not found by its buyer's holdings");
    plant("UPDATE holdings SET latest = zeroblob(16) WHERE buyer_id = 6");
    plant("UPDATE journal SET superseded = 1 WHERE buyer_id = 5");
    expect_broken("I4", "of buyer 5 in sale 1 is not found by its buyer's holdings");
}

TEST_F(AuditTest, NoticesATicketThatStaysPrepared) {
    now += std::chrono::milliseconds{1};
    expect_broken("I3", "of buyer 7 in sale 1 is still prepared");
}

constexpr const char* kPark =
    "INSERT INTO parked_tickets SELECT sale_id, mark, buyer_id, quantity, epoch, pass, key, "
    "claimed_at, 'planted', 1, 1, 1, 0 FROM journal WHERE buyer_id = ";

TEST_F(AuditTest, ATicketThatIsParkedIsNotLate) {
    now += std::chrono::milliseconds{1};
    plant(kPark + std::string("7"));
    expect_sound();
    plant("UPDATE parked_tickets SET decided = 1");
    expect_broken("I3", "of buyer 7 in sale 1 is still prepared");
}

TEST_F(AuditTest, NoticesAParkedTicketThatIsDecided) {
    plant(kPark + std::string("6"));
    expect_broken("I3", "of buyer 6 in sale 1 is parked, and decided");
    plant("UPDATE parked_tickets SET tried_at = 300000");
    expect_sound();
}

TEST_F(AuditTest, NamesTicketsAsTheApiDoes) {
    now += std::chrono::milliseconds{1};
    expect_broken("I3", TicketId{SaleId{1}, Mark{}}.text());
}

TEST_F(AuditTest, NoticesATicketWithoutItsOrder) {
    plant("DELETE FROM orders WHERE id = 104");
    expect_broken("I4", "of buyer 4 in sale 1 names order 104, which is not there");
}

TEST_F(AuditTest, NoticesATicketWithTheOrderOfAnother) {
    plant("UPDATE journal SET order_id = 104 WHERE buyer_id = 5");
    expect_broken("I4", "of buyer 5 in sale 1 names order 104, which does not fit");
}

TEST_F(AuditTest, NoticesAnOrderOfAnotherSize) {
    plant("UPDATE orders SET quantity = 1 WHERE id = 104");
    plant("UPDATE payments SET amount_cents = 5 WHERE order_id = 104");
    expect_broken("I4", "names order 104, which does not fit");
}

TEST_F(AuditTest, NoticesAnOrderWithoutATicket) {
    plant("DELETE FROM journal WHERE buyer_id = 4");
    expect_broken("I4", "order 104 in sale 1 has no committed ticket");
}

TEST_F(AuditTest, NoticesAnOrderOfATicketThatWasRolledBack) {
    plant("UPDATE journal SET state = 3, reason = 'busy', order_id = NULL WHERE buyer_id = 4");
    expect_broken("I4", "order 104 in sale 1 has no committed ticket");
}

TEST_F(AuditTest, NoticesAPaymentTimeThatDoesNotFitTheState) {
    plant("UPDATE orders SET paid_at = NULL WHERE id = 103");
    expect_broken("I5 captures", "order 103 in sale 1 is paid without");
    plant("UPDATE orders SET paid_at = 7 WHERE id IN (101, 103)");
    expect_broken("I5 captures", "order 101 in sale 1 is pending with");
}

constexpr std::string_view kUnlock =
    "DROP TRIGGER charges_are_not_edited; DROP TRIGGER charges_are_not_removed;"
    "DROP TRIGGER refunds_are_not_removed; DROP INDEX charges_one_capture;";

/// Changes rows in spite of the schema, by a connection of its own that checks at once.
class MoneyAuditTest : public AuditTest {
  protected:
    void expect_broken_after(std::string_view sql, std::string_view name, const std::string& by) {
        plant(std::string(kUnlock) + std::string(sql));
        auto database = Database::open_reader(file);
        const auto report = audit(database, SaleId{1}, now).value();
        for (const auto& check : report.checks) {
            EXPECT_EQ(check.holds, check.name != name) << check.name << ": " << check.detail;
            if (check.name == name) {
                EXPECT_THAT(check.detail, HasSubstr(by));
            }
        }
        EXPECT_TRUE(audit(database, SaleId{2}, now)->holds());
    }
};

TEST_F(MoneyAuditTest, NoticesAnOrderPaidWithoutMoney) {
    expect_broken_after("UPDATE charges SET order_id = 999 WHERE id = 301", "I5 captures",
                        "order 103 in sale 1 is paid, but 0 captures paid it");
}

TEST_F(MoneyAuditTest, NoticesAnOrderCapturedTwice) {
    expect_broken_after(
        "DELETE FROM refunds WHERE charge_id = 304; UPDATE charges SET captures = 1 WHERE id = 304",
        "I5 captures", "order 103 in sale 1 is paid, but 2 captures paid it");
}

TEST_F(MoneyAuditTest, NoticesACaptureOfAnotherPrice) {
    expect_broken_after("UPDATE charges SET amount_cents = 4 WHERE id = 301", "I5 captures",
                        "order 103 in sale 1 is paid and costs 5 CNY, but 4 CNY paid it");
}

TEST_F(MoneyAuditTest, NoticesACaptureOfAnOrderThatIsOver) {
    expect_broken_after(
        "UPDATE charges SET captures = 1 WHERE id = 303; "
        "UPDATE refunds SET reason = 'operator' WHERE charge_id = 303",
        "I5 captures", "order 104 in sale 1 is cancelled");
}

TEST_F(MoneyAuditTest, NoticesMoneyThatNobodyOwesBack) {
    expect_broken_after("DELETE FROM refunds WHERE charge_id = 303", "I5 refunds",
                        "charge late of order 104 in sale 1 paid nothing, and is not owed back");
}

TEST_F(MoneyAuditTest, NoticesMoneyThatAnotherProviderIsToSendBack) {
    expect_broken_after("UPDATE refunds SET provider = 'outside' WHERE charge_id = 303",
                        "I5 refunds", "is to go back for another provider or order");
}

TEST_F(MoneyAuditTest, NoticesACaptureThatWentBackByItself) {
    expect_broken_after("UPDATE refunds SET reason = 'late' WHERE charge_id = 302", "I5 refunds",
                        "charge returned of order 105 in sale 1 paid the order, and went back as");
}

TEST_F(MoneyAuditTest, NoticesAPaymentThatSaysAnotherThingThanItsMoney) {
    expect_broken_after("UPDATE payments SET state = 'captured' WHERE id = 202", "I5 refunds",
                        "payment 202 of order 105 in sale 1 is captured");
}

TEST_F(MoneyAuditTest, NoticesAPaymentOfAnotherPrice) {
    expect_broken_after("UPDATE payments SET amount_cents = 6 WHERE id = 204", "I5 refunds",
                        "payment 204 of order 102 in sale 1 is pending for 6 CNY");
}

TEST_F(AuditTest, NoticesClaimsAtTheWrongSideOfTheWindow) {
    plant("UPDATE sales SET starts_at = 10000, ends_at = 50001 WHERE id = 1");
    expect_sound();
    plant("UPDATE sales SET starts_at = 10001 WHERE id = 1");
    expect_broken("I7", "of buyer 1 in sale 1 was claimed before the start");
    plant("UPDATE sales SET starts_at = 10000, ends_at = 50000 WHERE id = 1");
    expect_broken("I7", "of buyer 5 in sale 1 was claimed after the window");
}

TEST_F(AuditTest, NoticesClaimsAfterTheOperatorsEnd) {
    plant("UPDATE migrations SET applied_at = 0");
    deed(1, "sale.end", 49'999);
    plant("UPDATE sales SET ended_at = 50000 WHERE id = 1");
    expect_sound();
    plant("UPDATE sales SET ended_at = 49999 WHERE id = 1");
    expect_broken("I7", "of buyer 5 in sale 1 was claimed after the operator's end");
}

/// Orders have ids from 101 on: a deed's id shows which of them were written before it.
class DeedAuditTest : public AuditTest {
  protected:
    void SetUp() override {
        AuditTest::SetUp();
        plant("UPDATE migrations SET applied_at = 0");
    }
};

TEST_F(DeedAuditTest, HoldsWhenAllWasWrittenBeforeTheEnd) {
    deed(106, "sale.end", 40'000);
    plant("UPDATE sales SET ended_at = 40000 WHERE id = 1");
    expect_sound();
}

TEST_F(DeedAuditTest, NoticesWhatWasWrittenAfterTheEndAndClaimedAfterIt) {
    plant("UPDATE orders SET id = 1000 WHERE id = 101");
    plant("UPDATE journal SET order_id = 1000 WHERE order_id = 101");
    deed(500, "sale.end", 9'999);
    plant("UPDATE sales SET ended_at = 9999 WHERE id = 1");
    expect_broken("I7", "of buyer 1 in sale 1 was claimed after the operator's end");
}

TEST_F(DeedAuditTest, NoticesClaimsInAPause) {
    deed(100, "sale.pause", 10'001);
    deed(103, "sale.resume", 30'000);
    expect_broken("I7", "of buyer 2 in sale 1 was claimed in a pause");
}

TEST_F(DeedAuditTest, APauseThatComesLateIsNoneForWhatWasWrittenBefore) {
    deed(104, "sale.pause", 30'000);
    expect_broken("I7", "of buyer 5 in sale 1 was claimed in a pause");
    deed(105, "sale.resume", 50'000);
    expect_sound();
}

/// A clock that was set back: the second pause is dated before the first.
TEST_F(DeedAuditTest, OnlyTheLastPauseBeforeTheOrderCounts) {
    deed(10, "sale.pause", 15'000);
    deed(11, "sale.resume", 60'000);
    deed(12, "sale.pause", 8'000);
    deed(13, "sale.resume", 9'000);
    expect_sound();
}

TEST_F(DeedAuditTest, NoticesClaimsInAPauseThatNeverEnded) {
    deed(103, "sale.pause", 30'000);
    expect_broken("I7", "of buyer 4 in sale 1 was claimed in a pause");
}

TEST_F(AuditTest, DeedsThatWereDatedAtTheirRequestHaveTwoSeconds) {
    deed(1, "sale.pause", 48'000);
    deed(2, "sale.end", 48'000);
    plant("UPDATE sales SET ended_at = 48000 WHERE id = 1");
    expect_sound();
    deed(3, "sale.pause", 47'999);
    expect_broken("I7", "of buyer 5 in sale 1 was claimed in a pause");
}

TEST_F(AuditTest, NamesAFewAndCountsTheRest) {
    plant("UPDATE orders SET paid_at = iif(paid_at IS NULL, 7, NULL)");
    const auto check = run().checks[4];
    EXPECT_FALSE(check.holds);
    EXPECT_THAT(check.detail, HasSubstr("order 103"));
    EXPECT_THAT(check.detail, testing::Not(HasSubstr("order 104")));
    EXPECT_TRUE(check.detail.ends_with("; and 2 more")) << check.detail;
}

TEST_F(AuditTest, KnowsNothingOfASaleThatIsNotThere) {
    const auto report = audit(file, SaleId{99}, now);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().reason, Reason::not_found);
}

TEST_F(AuditTest, CannotTellWithoutTheDatabase) {
    EXPECT_THROW(audit(folder / "nowhere.db", {}, now), Outage);
    std::ofstream(folder / "diary.db") << "dear diary, this is no database";
    EXPECT_THROW(audit(folder / "diary.db", {}, now), SchemaError);
}

TEST_F(AuditTest, RunsBesideTheServerOnAThreadOfItsOwn) {
    Ledger ledger({.file = file});
    const testing_support::ManualClock clock;
    ledgers::LedgerAuditor auditor(
        [&](std::optional<SaleId> sale) { return audit(file, sale, clock.now()); });
    const auto report = run_to_end(auditor.audit(SaleId{2}));
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->holds());
    EXPECT_FALSE(run_to_end(auditor.audit(SaleId{99})));
}

}  // namespace
}  // namespace sluice::sqlite
