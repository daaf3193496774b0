#include "adapters/sql/ledgers/archive.hpp"

#include <functional>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/mariadb/archive/archive_move.hpp"
#include "adapters/mariadb/audit.hpp"
#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/mariadb/ledger.hpp"
#include "adapters/sql/rows.hpp"
#include "base/run_to_end.hpp"
#include "support/deed_at.hpp"
#include "support/manual_clock.hpp"
#include "support/mariadb_server.hpp"

namespace sluice::mariadb {
namespace {

using ledgers::archive_for;
using ledgers::expect_in_ledger;
using ledgers::InArchive;
using ledgers::Sought;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::deed_at;

/// Sale 1 with the paid order 1 of buyer 1, who has an earlier ticket too, and the expired orders 2
/// to 120 of as many buyers: more than one step moves.
class MariadbArchiveTest : public testing::Test {
  protected:
    static constexpr std::int64_t kNow = 1'800'000'000'000;
    static constexpr std::int64_t kBuyers = 120;
    static constexpr SaleId kSale{1};
    static constexpr Mark kPassOfBuyer1{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

    testing_support::MariadbDatabase database;
    const ServerAddress address = database.address();
    Connection other{address, kLongPatience};

    void SetUp() override {
        other.connect();
        other.run_script(R"(
            SET @sluice_copies = 1;
            INSERT INTO items (id, title, description, image_url, list_price_cents, currency,
                               version, created_at)
            VALUES (1, 'Kettle', '', '', 5, 'CNY', 1, 0);
            INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, ends_at, paused,
                               stock_total, stock_left, stock_held, stock_sold, limit_per_buyer,
                               hold_seconds, challenge, gate_factor, version, created_at)
            VALUES (1, 1, 'flash', 5, 'CNY', 1000, 1000000, 0, 10, 9, 0, 1, 2, 900, 'none', 1, 1,
                    0);
            INSERT INTO orders VALUES (1, 1, 1, 1, repeat(x'00', 16), 1, 5, 'CNY', 'paid', 2000,
                                       902000, 3000);
            INSERT INTO journal VALUES (1, 1, repeat(x'00', 16), 1, 1, 2, NULL, 1, repeat(x'01', 16),
                                        NULL, 2000, 0, NULL),
                (1, 1, repeat(x'02', 16), 1, 1, 3, 'busy', NULL, repeat(x'03', 16),
                 repeat(x'04', 16), 1500, 1, NULL);
            INSERT INTO holdings VALUES (1, 1, 1, repeat(x'00', 16));
            INSERT INTO payments VALUES (1, 1, 'sandbox', 5, 'CNY', 'captured', 'bill', '/pay',
                                         2000);
            INSERT INTO charges VALUES (1, 1, 1, 'sandbox', 'charge', 5, 'CNY', 1, 3000);
            INSERT INTO payment_events VALUES
                ('sandbox', 'z came first', 1, 'payment.failed', 'noted', 2500),
                ('sandbox', 'a came last', 1, 'payment.succeeded', 'captured', 3000);
            INSERT INTO orders
            SELECT seq, 1, 1, seq, unhex(lpad(hex(seq), 32, '0')), 1, 5, 'CNY', 'expired', 2000,
                   902000, NULL FROM seq_2_to_120;
            INSERT INTO journal
            SELECT seq, 1, unhex(lpad(hex(seq), 32, '0')), 1, 1, 2, NULL, seq,
                   unhex(lpad(hex(seq), 32, '0')), NULL, 2000, 0, NULL FROM seq_2_to_120;
            INSERT INTO holdings
            SELECT 1, seq, 0, unhex(lpad(hex(seq), 32, '0')) FROM seq_2_to_120;
            SET @sluice_copies = NULL)");
        ASSERT_EQ(broken(), "");
    }

    std::int64_t archive(std::int64_t at = kNow) {
        return archive_sale(
            address,
            {.sale = kSale, .ended_before = from_millis(at), .deed = deed_at(at, "sale.archive")});
    }
    void bring_back(std::int64_t at) {
        bring_back_sale(address, kSale, deed_at(at, "sale.bring_back"));
    }
    std::string broken() {
        const auto report = audit(address, std::nullopt, from_millis(kNow)).value();
        for (const auto& check : report.checks)
            if (!check.holds) return check.name + ": " + check.detail;
        return "";
    }
    std::int64_t count(const std::string& table) {
        return other.value<std::int64_t>("SELECT count(*) FROM " + table);
    }
    /// Orders in the ledger's table, and in the archive's.
    std::pair<std::int64_t, std::int64_t> orders() {
        return {count("orders"), count("archived_orders")};
    }
    void in_turn(const std::function<void()>& work) {
        other.begin("READ COMMITTED", std::nullopt, own::take_turn);
        work();
        other.run_script("COMMIT");
    }
    /// As a return leaves it that was killed after its first step.
    void return_some() {
        const auto plan = plan_return(other, kSale).value();
        in_turn([&] {
            ASSERT_TRUE(
                return_buyers(other, kSale, std::span(plan.buyers).first(ReturnPlan::kBuyers)));
        });
    }
};

TEST_F(MariadbArchiveTest, MovesAndComesBackInSteps) {
    const auto before = digest_of(other, Place::ledger, kSale);
    const auto rows = count_archivable(
        address, {.sale = kSale, .ended_before = from_millis(kNow), .deed = deed_at(kNow, "x")});
    EXPECT_EQ(rows, 3 * kBuyers + 1 + 4);
    EXPECT_EQ(archive(), rows);
    EXPECT_EQ(orders(), std::pair(std::int64_t{0}, kBuyers));
    for (const auto* table :
         {"journal", "earlier_tickets", "holdings", "payments", "charges", "payment_events"})
        EXPECT_EQ(count(table), 0) << table;
    EXPECT_EQ(count("archived_earlier_tickets"), 2) << "by pass and by key";
    EXPECT_EQ(digest_of(other, Place::archive, kSale), before);
    EXPECT_EQ(broken(), "");
    EXPECT_THAT(list_leftovers(address), IsEmpty());

    bring_back(kNow + 1);
    EXPECT_EQ(orders(), std::pair(kBuyers, std::int64_t{0}));
    EXPECT_EQ(digest_of(other, Place::ledger, kSale), before) << "also in the order of the events";
    EXPECT_EQ(count("earlier_tickets"), 2);
    EXPECT_EQ(broken(), "");
    archive(kNow + 2);
    EXPECT_EQ(orders(), std::pair(std::int64_t{0}, kBuyers));
    EXPECT_EQ(broken(), "");
}

TEST_F(MariadbArchiveTest, ACopyThatDoesNotCountIsNotSeenAndIsReplaced) {
    // As a run leaves it that was killed before the switch, after which the ledger has changed.
    other.run_script(
        "INSERT INTO archived_orders SELECT * FROM orders; "
        "INSERT INTO archived_journal SELECT * FROM journal; "
        "UPDATE orders SET paid_at = 3001 WHERE id = 1");
    other.begin_snapshot();
    EXPECT_FALSE(other.archive()->has_row("SELECT 1 FROM orders"));
    EXPECT_FALSE(other.archive()->has_row("SELECT 1 FROM journal"));
    EXPECT_FALSE(other.archive()->has_row("SELECT 1 FROM sales"));
    other.run_script("COMMIT");
    EXPECT_EQ(broken(), "");
    archive();
    EXPECT_EQ(other.value<std::int64_t>("SELECT paid_at FROM archived_orders WHERE id = 1"), 3001);
    EXPECT_EQ(broken(), "");
}

TEST_F(MariadbArchiveTest, WhatTheLedgerStillHasOfAnArchivedSaleDoesNotCount) {
    archive();
    return_some();
    EXPECT_EQ(count("orders"), 50);
    EXPECT_EQ(broken(), "") << "every buyer's rows are in it, or none";
    EXPECT_THAT(list_leftovers(address), ElementsAre(kSale));
    EXPECT_THROW(expect_in_ledger(other, OrderId{1}), InArchive);
    EXPECT_THROW(expect_in_ledger(other, OrderId{120}), InArchive);
    EXPECT_THROW(expect_in_ledger(other, PaymentId{1}), InArchive);
    EXPECT_NO_THROW(expect_in_ledger(other, OrderId{121}));
    EXPECT_EQ(archive_for(other, Sought{.sale = SaleId{2}}), nullptr);

    remove_leftovers(address, kSale);
    EXPECT_EQ(orders(), std::pair(std::int64_t{0}, kBuyers));
    EXPECT_THAT(list_leftovers(address), IsEmpty());
    EXPECT_EQ(broken(), "");
}

TEST_F(MariadbArchiveTest, AReturnGoesOnWhereItWasCutShort) {
    archive();
    return_some();
    bring_back(kNow + 1);
    EXPECT_EQ(orders(), std::pair(kBuyers, std::int64_t{0}));
    EXPECT_EQ(broken(), "");
}

TEST_F(MariadbArchiveTest, AReturnThatOthersWorkAgainstChangesNothing) {
    archive();
    const auto plan = plan_return(other, kSale).value();
    return_some();
    EXPECT_THROW(conclude_return(other, plan, std::nullopt), ArchiveError);
    EXPECT_EQ(broken(), "");
    remove_leftovers(address, kSale);
    bring_back(kNow + 1);
    EXPECT_FALSE(conclude_return(other, plan, std::nullopt)) << "it is not archived any more";
    in_turn([&] { EXPECT_FALSE(return_buyers(other, kSale, plan.buyers)); });
    EXPECT_FALSE(plan_return(other, kSale));
}

TEST_F(MariadbArchiveTest, RowsThatSomebodyChangedByHandAreNotRemoved) {
    archive();
    return_some();
    other.run_script("UPDATE orders SET price_cents = 6 WHERE id = 7");
    try {
        remove_leftovers(address, kSale);
        ADD_FAILURE();
    } catch (const ArchiveError& error) {
        EXPECT_THAT(error.what(), HasSubstr("other rows of buyer 7"));
    }
    EXPECT_EQ(count("orders"), 50);
    EXPECT_THROW(bring_back(kNow + 1), ArchiveError);
}

TEST_F(MariadbArchiveTest, OrdersThatNoTicketLeadsToMoveToo) {
    other.run_script("DELETE FROM journal WHERE buyer_id = 1");
    const auto before = digest_of(other, Place::ledger, kSale);
    archive();
    EXPECT_EQ(orders(), std::pair(std::int64_t{0}, kBuyers));
    EXPECT_EQ(count("charges"), 0);
    EXPECT_EQ(digest_of(other, Place::archive, kSale), before);
    bring_back(kNow + 1);
    EXPECT_EQ(orders(), std::pair(kBuyers, std::int64_t{0}));
    EXPECT_EQ(digest_of(other, Place::ledger, kSale), before);
}

TEST_F(MariadbArchiveTest, OneProcessMovesAtATime) {
    Connection first(address), second(address);
    first.connect();
    second.connect();
    ArchiveLock waiting(second);
    {
        ArchiveLock lock(first);
        EXPECT_TRUE(lock.take(std::chrono::seconds{0}));
        EXPECT_FALSE(waiting.take(std::chrono::seconds{0}));
    }
    EXPECT_TRUE(waiting.take(std::chrono::seconds{0}));
}

TEST_F(MariadbArchiveTest, ARefundBringsTheSaleBackBetweenOtherWrites) {
    archive();
    {
        Ledger ledger({.address = address});
        EXPECT_EQ(run_to_end(ledger.archive_state()).sales, 1);
        const auto refunded =
            run_to_end(ledger.payments().refund(OrderId{1}, deed_at(kNow + 1, "order.refund")));
        ASSERT_TRUE(refunded);
        EXPECT_EQ(refunded->order.state, OrderState::refunded);
        EXPECT_FALSE(
            run_to_end(ledger.payments().refund(OrderId{121}, deed_at(kNow + 2, "order.refund"))));
        EXPECT_EQ(run_to_end(ledger.archive_state()).sales, 0);
    }
    EXPECT_EQ(orders(), std::pair(kBuyers, kBuyers)) << "the copy does not count";
    EXPECT_EQ(broken(), "");
    remove_stale_copies(address);
    EXPECT_EQ(orders(), std::pair(kBuyers, std::int64_t{0}));
    EXPECT_EQ(count("archived_charges"), 0);
    EXPECT_EQ(count("archived_journal"), 0);
    EXPECT_EQ(broken(), "");
}

TEST_F(MariadbArchiveTest, AnArchiveThatCannotComeBackIsAnOutage) {
    archive();
    other.run_script("INSERT INTO archived_holdings VALUES (1, 121, 0, NULL)");
    EXPECT_THAT(broken(), HasSubstr("is not what was moved"));
    Ledger ledger({.address = address});
    EXPECT_THROW(
        run_to_end(ledger.payments().refund(OrderId{1}, deed_at(kNow + 1, "order.refund"))),
        Outage);
    EXPECT_TRUE(ledger.health().ok) << "the ledger is well";
}

TEST_F(MariadbArchiveTest, ATicketThatComesLateBringsItsSaleBack) {
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
        Ledger ledger({.address = address});
        const auto tickets = ledger.open_tickets(clock, ids, [](Timestamp) {});
        const auto written = run_to_end(tickets->write({repeated, late}));
        ASSERT_TRUE(written[0] && written[1]);
        EXPECT_EQ(written[0]->record.order, OrderId{1}) << "the same pass, which has bought";
        EXPECT_EQ(written[1]->fate, OrderIntake::Fate::ordered);
        EXPECT_EQ(run_to_end(ledger.archive_state()).sales, 0);
    }
    EXPECT_EQ(count("orders"), kBuyers + 1);
    EXPECT_EQ(broken(), "");
}

TEST_F(MariadbArchiveTest, ATicketThatComesLateFailsAloneWhenItsSaleCannotComeBack) {
    archive();
    other.run_script("INSERT INTO archived_holdings VALUES (1, 121, 0, NULL)");
    testing_support::ManualClock clock;
    IdSource ids{1};
    Ledger ledger({.address = address});
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
    EXPECT_EQ(count("orders"), 0);
}

}  // namespace
}  // namespace sluice::mariadb
