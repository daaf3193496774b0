#include "adapters/sql/ledgers/archive.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sql/ledgers/holds.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/archive/archive_move.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "base/run_to_end.hpp"
#include "support/archived_sale.hpp"
#include "support/manual_clock.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using ledgers::archive_for;
using ledgers::expect_in_ledger;
using ledgers::InArchive;
using ledgers::Sought;
using sql::ArchiveAway;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

/// Sale 1 with the paid order 1 of buyer 1, and the expired orders 2 to 250 of as many buyers:
/// more than one step moves.
class ArchiveTest : public testing::Test {
  protected:
    static constexpr std::int64_t kNow = 1'800'000'000'000;
    static constexpr std::int64_t kBuyers = 250;
    static constexpr SaleId kSale{1};
    static constexpr Mark kPassOfBuyer1{};

    testing_support::TempFolder folder;
    fs::path file = folder / "sluice.db";

    void SetUp() override {
        migrate(file);
        testing_support::add_ended_sale(file);
        auto ledger = Database::open_writer(file);
        ledger.run_script(
            "CREATE TEMP TABLE buyers AS WITH RECURSIVE n (id) AS"
            " (SELECT 2 UNION ALL SELECT id + 1 FROM n WHERE id < 250)"
            " SELECT id, CAST(printf('%016d', id) AS BLOB) AS mark FROM n;"
            "INSERT INTO orders SELECT id, 1, 1, id, mark, 1, 5, 'CNY', 'expired',"
            " 2000, 902000, NULL FROM buyers;"
            "INSERT INTO journal SELECT id, 1, mark, 1, 1, 2, NULL, id, mark, NULL,"
            " 2000, 0, NULL FROM buyers;"
            "INSERT INTO holdings SELECT 1, id, 0, mark FROM buyers");
        ASSERT_EQ(broken(), "");
    }
    void archive() { testing_support::archive_ended_sale(file, kNow); }
    std::string broken() {
        const auto report = audit(file, std::nullopt, from_millis(kNow)).value();
        for (const auto& check : report.checks)
            if (!check.holds) return check.name + ": " + check.detail;
        return "";
    }
    std::int64_t orders_in(const fs::path& database) {
        auto reader = Database::open_reader(database);
        return reader.value<std::int64_t>("SELECT count(*) FROM orders");
    }
    /// As a return leaves it that was killed after its first step.
    void return_some() {
        auto ledger = Database::open_writer(file);
        const auto plan = plan_return(ledger, kSale).value();
        ledger.run("BEGIN IMMEDIATE");
        ASSERT_TRUE(return_buyers(ledger, kSale, std::span(plan.buyers).first(100)));
        ledger.run("COMMIT");
    }
};

TEST_F(ArchiveTest, MovesAndComesBackInSteps) {
    archive();
    EXPECT_EQ(orders_in(file), 0);
    EXPECT_EQ(orders_in(archive_of(file)), kBuyers);
    EXPECT_EQ(broken(), "");
    EXPECT_THAT(list_leftovers(file), IsEmpty());
    testing_support::bring_ended_sale_back(file, kNow + 1);
    EXPECT_EQ(orders_in(file), kBuyers);
    EXPECT_EQ(broken(), "");
    testing_support::archive_ended_sale(file, kNow + 2);
    EXPECT_EQ(orders_in(file), 0);
    EXPECT_EQ(broken(), "");
}

TEST_F(ArchiveTest, WhatTheLedgerStillHasOfAnArchivedSaleDoesNotCount) {
    archive();
    return_some();
    EXPECT_EQ(orders_in(file), 100);
    EXPECT_EQ(broken(), "") << "every buyer's rows are in it, or none";
    EXPECT_THAT(list_leftovers(file), ElementsAre(kSale));
    auto ledger = Database::open_writer(file);
    EXPECT_THROW(expect_in_ledger(ledger, OrderId{1}), InArchive);
    EXPECT_THROW(expect_in_ledger(ledger, OrderId{250}), InArchive);
    EXPECT_THROW(expect_in_ledger(ledger, PaymentId{1}), InArchive);
    EXPECT_NO_THROW(expect_in_ledger(ledger, OrderId{251}));

    remove_leftovers(file, kSale);
    EXPECT_EQ(orders_in(file), 0);
    EXPECT_THAT(list_leftovers(file), IsEmpty());
    EXPECT_EQ(broken(), "");
}

TEST_F(ArchiveTest, AReturnThatOthersWorkAgainstBringsEverythingBack) {
    archive();
    auto ledger = Database::open_writer(file);
    const auto plan = plan_return(ledger, kSale).value();
    return_some();
    remove_leftovers(file, kSale);
    ledger.run("BEGIN IMMEDIATE");
    EXPECT_TRUE(conclude_return(ledger, plan));
    ledger.run("COMMIT");
    EXPECT_EQ(orders_in(file), kBuyers);
    EXPECT_EQ(broken(), "");
    EXPECT_FALSE(conclude_return(ledger, plan)) << "it is not archived any more";
    EXPECT_FALSE(return_buyers(ledger, kSale, plan.buyers));
    EXPECT_EQ(plan_return(ledger, kSale), std::nullopt);
}

TEST_F(ArchiveTest, RowsThatSomebodyChangedByHandAreNotRemoved) {
    archive();
    return_some();
    Database::open_writer(file).run("UPDATE orders SET price_cents = 6 WHERE id = 7");
    try {
        remove_leftovers(file, kSale);
        ADD_FAILURE();
    } catch (const ArchiveError& error) {
        EXPECT_THAT(error.what(), HasSubstr("other rows of buyer 7"));
    }
    EXPECT_EQ(orders_in(file), 100);
}

TEST_F(ArchiveTest, AChangedArchiveIsNotBroughtBack) {
    archive();
    Database::open_writer(archive_of(file)).run("UPDATE orders SET price_cents = 6 WHERE id = 7");
    EXPECT_THROW(testing_support::bring_ended_sale_back(file, kNow + 1), ArchiveError);
    EXPECT_EQ(orders_in(file), 0);
}

/// Every change that the program makes to a finished sale changes its footprint.
TEST_F(ArchiveTest, AFootprintShowsEveryChange) {
    auto ledger = Database::open_writer(file);
    auto before = footprint_of(ledger, kSale);
    const auto expect_another = [&](const char* what, const char* change) {
        ledger.run_script(change);
        EXPECT_NE(footprint_of(ledger, kSale), before) << what;
        before = footprint_of(ledger, kSale);
    };
    expect_another("a ticket",
                   "INSERT INTO journal VALUES (1, 1, randomblob(16), 1, 1, 3, 'ended', NULL,"
                   " randomblob(16), NULL, 2000, 1, NULL)");
    expect_another("an order",
                   "INSERT INTO orders VALUES (300, 1, 1, 1, randomblob(16), 1, 5, 'CNY',"
                   " 'cancelled', 2000, 3000, NULL)");
    expect_another("a payment",
                   "INSERT INTO payments VALUES (2, 1, 'sandbox', 5, 'CNY', 'failed',"
                   " NULL, NULL, 2000)");
    expect_another("what a provider told",
                   "INSERT INTO payment_events VALUES ('sandbox', 'again',"
                   " 1, 'payment.succeeded', 'noted', 3000)");
    expect_another("a refund",
                   "INSERT INTO refunds VALUES (1, 'operator', 4000, 1, NULL, 5000,"
                   " 'sandbox', 1, 0)");
}

TEST_F(ArchiveTest, AMissingArchiveIsNotMadeAnew) {
    archive();
    fs::remove(archive_of(file));
    Database::open_writer(file).run(
        "INSERT INTO sales SELECT 2, item_id, kind, price_cents, currency, starts_at, ends_at, "
        "NULL,"
        " 0, 1, 1, 0, 0, 1, 60, 'none', 5, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', "
        "'everyone', NULL, 0 FROM "
        "sales WHERE "
        "id = 1");
    const ArchiveWish wish{.ledger = file,
                           .sale = SaleId{2},
                           .ended_before = from_millis(kNow),
                           .deed = testing_support::deed_at(kNow + 1, "sale.archive")};
    EXPECT_THROW(archive_sale(wish), ArchiveAway);
    EXPECT_FALSE(fs::exists(archive_of(file)));
}

TEST_F(ArchiveTest, NobodyIsToldThatARowDoesNotExistWhenNobodyCanKnow) {
    archive();
    fs::rename(archive_of(file), folder / "elsewhere");
    auto ledger = Database::open_reader(file);
    EXPECT_THAT(ledgers::look_at_archive(ledger).complaint, HasSubstr("is missing, and 1 sales"));
    EXPECT_THROW(archive_for(ledger, Sought{.from = OrderId{250}}), ArchiveAway);
    EXPECT_EQ(archive_for(ledger, Sought{.from = OrderId{251}}), nullptr);
    EXPECT_THROW(archive_for(ledger, Sought{.sale = kSale}), ArchiveAway);
    EXPECT_EQ(archive_for(ledger, Sought{.sale = SaleId{2}}), nullptr);
    EXPECT_THROW(archive_for(ledger, PaymentId{1}), ArchiveAway);
    EXPECT_EQ(archive_for(ledger, PaymentId{std::int64_t{1} << 62}), nullptr);

    std::ofstream(archive_of(file)) << std::string(10'000, 'x');
    EXPECT_THROW(archive_for(ledger, Sought{.sale = kSale}), ArchiveAway);
    EXPECT_THAT(ledgers::look_at_archive(ledger).complaint, HasSubstr("cannot be read"));

    fs::rename(folder / "elsewhere", archive_of(file));
    EXPECT_NE(archive_for(ledger, Sought{.sale = kSale}), nullptr);
    EXPECT_EQ(ledgers::look_at_archive(ledger).complaint, "");
    fs::remove(archive_of(file));
    EXPECT_THROW(archive_for(ledger, Sought{.sale = kSale}), ArchiveAway) << "while it is open";
}

TEST_F(ArchiveTest, LapsesOfAnArchivedSaleAreStillSeen) {
    const auto lapses = [this] {
        auto ledger = Database::open_reader(file);
        const auto holds = ledgers::read_holds(ledger, kSale, from_millis(kNow));
        EXPECT_THAT(holds.ages, IsEmpty());
        std::int64_t count = 0;
        for (const auto& buyer : holds.buyers) count += buyer.lapses;
        return count;
    };
    EXPECT_EQ(lapses(), static_cast<std::int64_t>(kMostHoldRows));
    archive();
    EXPECT_EQ(lapses(), static_cast<std::int64_t>(kMostHoldRows));
    return_some();
    EXPECT_EQ(lapses(), static_cast<std::int64_t>(kMostHoldRows)) << "nobody counts twice";
    fs::remove(archive_of(file));
    EXPECT_THROW(lapses(), ArchiveAway);
}

TEST_F(ArchiveTest, ARowIsFoundWhileItsSaleComesBack) {
    archive();
    auto ledger = Database::open_reader(file);
    ledger.run("BEGIN");
    const auto found = ledgers::find_in_both(
        ledger, Sought{.from = OrderId{1}}, [&](sql::Database& one) -> std::optional<int> {
            // The ledger was read before, when it called the sale archived.
            if (&one == ledger.archive()) testing_support::bring_ended_sale_back(file, kNow + 1);
            if (one.has_row("SELECT 1 FROM orders WHERE id = 1")) return 1;
            return std::nullopt;
        });
    EXPECT_EQ(found, 1);
}

TEST_F(ArchiveTest, ARefundBringsTheSaleBackBetweenOtherWrites) {
    archive();
    {
        Ledger ledger({.file = file});
        const auto commits = ledger.commits();
        const auto refunded = run_to_end(ledger.payments().refund(
            OrderId{1}, testing_support::deed_at(kNow + 1, "order.refund")));
        ASSERT_TRUE(refunded);
        EXPECT_EQ(refunded->order.state, OrderState::refunded);
        EXPECT_GE(ledger.commits() - commits, 5U) << "three steps, the conclusion and the refund";
        EXPECT_FALSE(run_to_end(ledger.payments().refund(
            OrderId{251}, testing_support::deed_at(kNow + 2, "order.refund"))));
    }
    EXPECT_EQ(orders_in(file), kBuyers);
    EXPECT_EQ(broken(), "");
}

TEST_F(ArchiveTest, MoneyBringsTheSaleBack) {
    archive();
    {
        Ledger ledger({.file = file});
        const PaymentEvent event{
            .provider = "sandbox",
            .id = "late",
            .type = PaymentEvent::Type::payment_succeeded,
            .payment = PaymentId{1},
            .charge = {.id = ChargeId{2}, .ref = "another", .amount_cents = 5, .currency = "CNY"},
            .refund = {}};
        const auto taken = run_to_end(ledger.payments().take(event, from_millis(kNow)));
        ASSERT_TRUE(taken);
        EXPECT_EQ(taken->outcome, EventOutcome::refunded) << "it was paid before";
    }
    EXPECT_EQ(orders_in(file), kBuyers);
    EXPECT_EQ(broken(), "");
}

TEST_F(ArchiveTest, AnArchiveThatCannotComeBackIsAnOutage) {
    archive();
    Database::open_writer(archive_of(file)).run("UPDATE orders SET price_cents = 6 WHERE id = 7");
    Ledger ledger({.file = file});
    EXPECT_THROW(run_to_end(ledger.payments().refund(
                     OrderId{1}, testing_support::deed_at(kNow + 1, "order.refund"))),
                 Outage);
    EXPECT_TRUE(ledger.health().ok) << "the ledger is well";
}

TEST_F(ArchiveTest, ATicketThatComesLateBringsItsSaleBack) {
    archive();
    testing_support::ManualClock clock;
    clock.move(from_millis(kNow + 1) - clock.now());
    IdSource ids{1};
    const Ticket repeated{.id = {kSale, Mark{250}},
                          .buyer = UserId{1},
                          .pass = kPassOfBuyer1,
                          .key = std::nullopt,
                          .claimed_at = from_millis(2'000)};
    const Ticket late{.id = {kSale, Mark{251}},
                      .buyer = UserId{7},
                      .pass = Mark{251},
                      .key = std::nullopt,
                      .claimed_at = from_millis(2'000)};
    {
        Ledger ledger({.file = file});
        const auto tickets = ledger.open_tickets(clock, ids, [](Timestamp) {});
        const auto written = run_to_end(tickets->write({repeated, late}));
        ASSERT_TRUE(written[0] && written[1]);
        EXPECT_EQ(written[0]->record.order, OrderId{1}) << "the same pass, which has bought";
        EXPECT_EQ(written[1]->fate, OrderIntake::Fate::ordered);
        EXPECT_EQ(run_to_end(ledger.archive_state()).sales, 0);
    }
    EXPECT_EQ(orders_in(file), kBuyers + 1);
    EXPECT_EQ(broken(), "");
}

TEST_F(ArchiveTest, ATicketThatComesLateFailsAloneWhenItsSaleCannotComeBack) {
    archive();
    Database::open_writer(archive_of(file)).run("INSERT INTO holdings VALUES (1, 251, 0, NULL)");
    testing_support::ManualClock clock;
    IdSource ids{1};
    Ledger ledger({.file = file});
    const auto tickets = ledger.open_tickets(clock, ids, [](Timestamp) {});
    const Ticket late{.id = {kSale, Mark{251}},
                      .buyer = UserId{7},
                      .pass = Mark{251},
                      .key = std::nullopt,
                      .claimed_at = from_millis(2'000)};
    auto unknown = late;
    unknown.id = {SaleId{2}, Mark{252}};
    const auto written = run_to_end(tickets->write({late, unknown}));
    ASSERT_FALSE(written[0]);
    EXPECT_THAT(written[0].error(), HasSubstr("is not what was moved"));
    ASSERT_TRUE(written[1]) << "of a sale that is not there";
    EXPECT_EQ(written[1]->fate, OrderIntake::Fate::refused);
    EXPECT_EQ(orders_in(file), 0);
}

}  // namespace
}  // namespace sluice::sqlite
