#include "adapters/mariadb/ticket_set.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "adapters/mariadb/audit.hpp"
#include "adapters/mariadb/ledger.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/mariadb_server.hpp"
#include "support/test_loop.hpp"

namespace sluice::mariadb {
namespace {

using Fate = OrderIntake::Fate;
using Written = TicketLedger::Written;

class TicketSetTest : public testing::Test {
  protected:
    testing_support::TestLoop loop;
    testing_support::MariadbDatabase database;
    testing_support::ManualClock clock;
    IdSource ids{1};
    IdSource other_ids{2};
    Ledger ledger{{.address = database.address()}};
    std::unique_ptr<TicketLedger> tickets = ledger.open_tickets(clock, ids, [](Timestamp) {});

    void SetUp() override {
        Connection connection(database.address());
        connection.connect();
        connection.run_script(
            "INSERT INTO items (id, title, description, image_url, list_price_cents, currency, "
            "version, created_at) VALUES (1, 'tea', '', '', 100, 'CNY', 1, 0)");
    }
    void add_sale(std::int64_t id, std::int64_t stock) {
        Connection connection(database.address());
        connection.connect();
        connection.run(
            "INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, paused, "
            "stock_total, stock_left, stock_held, stock_sold, limit_per_buyer, hold_seconds, "
            "challenge, gate_factor, version, created_at) "
            "VALUES (?1, 1, 'flash', 99, 'CNY', 0, 0, ?2, ?2, 0, 0, 2, 60, 'none', 3, 1, 0)",
            id, stock);
    }
    Ticket make_ticket(std::int64_t sale, std::int64_t buyer, unsigned char number = 1) const {
        const auto low = static_cast<unsigned char>(buyer & 255);
        const auto high = static_cast<unsigned char>(buyer >> 8);
        return {.id = {SaleId{sale}, Mark{number, low, high}},
                .buyer = UserId{buyer},
                .quantity = 1,
                .epoch = 1,
                .pass = Mark{number, low, high, 1},
                .key = Mark{number, low, high, 2},
                .claimed_at = clock.now()};
    }
    std::vector<Ticket> make_tickets(std::int64_t sale, std::int64_t first, std::int64_t count) {
        std::vector<Ticket> made;
        for (auto buyer = first; buyer < first + count; ++buyer)
            made.push_back(make_ticket(sale, buyer));
        return made;
    }
    static std::size_t count(const std::vector<Written>& written, Fate fate) {
        return static_cast<std::size_t>(std::ranges::count_if(
            written, [fate](const auto& each) { return each && each->fate == fate; }));
    }
    /// A journal row without its buyer's holdings, which no code of ours makes.
    void plant_bad_ticket(std::int64_t buyer) {
        Connection connection(database.address());
        connection.connect();
        connection.run(
            "INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, pass, "
            "claimed_at) VALUES (?2, 1, ?1, 1, 1, 1, ?1, 0)",
            make_ticket(1, buyer).id.mark, buyer);
    }
    void expect_books_in_order() {
        const auto report = audit(database.address(), std::nullopt, clock.now());
        ASSERT_TRUE(report);
        for (const auto& check : report->checks) EXPECT_TRUE(check.holds) << check.detail;
    }
};

TEST_F(TicketSetTest, ABatchOfTwoSalesIsOneSet) {
    add_sale(1, 300);
    add_sale(2, 100);
    auto batch = make_tickets(2, 1, 200);
    for (auto& ticket : make_tickets(1, 1, 200)) batch.push_back(std::move(ticket));
    const auto written = run_to_end(tickets->write(batch));
    EXPECT_EQ(count(written, Fate::ordered), 300u);
    EXPECT_EQ(count(written, Fate::refused), 100u);
    for (const auto& sale : run_to_end(ledger.catalog().load()).sales)
        EXPECT_EQ(sale.stock.left, sale.id == SaleId{1} ? 100 : 0);
    expect_books_in_order();
}

TEST_F(TicketSetTest, WhatIsOnRecordStandsBesideWhatIsNew) {
    add_sale(1, 1'000);
    const auto first = run_to_end(tickets->write(make_tickets(1, 1, 50)));
    auto batch = make_tickets(1, 1, 100);
    batch.push_back(make_ticket(1, 100));     // a double in the same batch
    batch.push_back(make_ticket(1, 1, 2));    // a second wish, within the limit
    batch.push_back(make_ticket(1, 100, 2));  // the same of somebody who is new
    batch.push_back(make_ticket(1, 100, 3));  // one too many
    const auto written = run_to_end(tickets->write(batch));
    EXPECT_EQ(count(written, Fate::ordered), 103u);
    for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_EQ(written[i]->record.order, first[i]->record.order);
        EXPECT_FALSE(written[i]->fresh);
    }
    EXPECT_EQ(written[100]->record.order, written[99]->record.order);
    EXPECT_EQ(written[103]->record.reason, Reason::limit_reached);
    EXPECT_EQ(run_to_end(ledger.catalog().load()).sales.at(0).stock.held, 102);
    expect_books_in_order();
}

TEST_F(TicketSetTest, TwoWritersAtOnceSellWhatIsThereAndNoMore) {
    add_sale(1, 400);
    add_sale(2, 400);
    Ledger other({.address = database.address()});
    const auto intake = ledger.open_intake(clock, ids, {.batch = 64});
    const auto other_intake = other.open_intake(clock, other_ids, {.batch = 64});
    std::size_t ordered = 0;
    std::size_t told = 0;
    const auto submit = [&](OrderIntake& to, Ticket ticket) {
        loop.spawn(to.submit(*to.reserve(), std::move(ticket)),
                   [&](std::exception_ptr error, OrderIntake::Taken taken) {
                       EXPECT_FALSE(error);
                       ++told;
                       if (taken.fate == Fate::ordered) ++ordered;
                   });
    };
    for (std::int64_t buyer = 1; buyer <= 300; ++buyer) {
        submit(*intake, make_ticket(1, buyer));
        submit(*other_intake, make_ticket(2, buyer));
        submit(*intake, make_ticket(2, 1'000 + buyer));
        submit(*other_intake, make_ticket(1, 1'000 + buyer));
    }
    loop.run();
    EXPECT_EQ(told, 1'200u);
    EXPECT_EQ(ordered, 800u);
    for (const auto& sale : run_to_end(ledger.catalog().load()).sales)
        EXPECT_EQ(sale.stock.left, 0);
    expect_books_in_order();
}

TEST_F(TicketSetTest, ATicketWhoseRowsDoNotFitFailsAlone) {
    add_sale(1, 100);
    plant_bad_ticket(5);
    const auto written = run_to_end(tickets->write(make_tickets(1, 1, 20)));
    EXPECT_EQ(count(written, Fate::ordered), 19u);
    EXPECT_FALSE(written[4]);
    EXPECT_EQ(run_to_end(ledger.catalog().load()).sales.at(0).stock.held, 19);
}

TEST_F(TicketSetTest, RowsOfABatchThatFailedAreNotSentWithThoseOfTheNext) {
    add_sale(1, 100);
    plant_bad_ticket(5);
    // One writer, so that both batches use the same statements.
    Ledger one_writer({.address = database.address(), .writers = 1});
    const auto desk = one_writer.open_tickets(clock, ids, [](Timestamp) {});
    run_to_end(desk->write(make_tickets(1, 1, 20)));
    run_to_end(desk->write(make_tickets(1, 21, 20)));
    Connection connection(database.address());
    connection.connect();
    EXPECT_EQ(connection.value<std::int64_t>("SELECT count(*) FROM orders"), 39);
}

}  // namespace
}  // namespace sluice::mariadb
