// Purchases, orders and the catalog, for two clients at once.

#include <gmock/gmock.h>

#include "app/purchase/prepared_tickets.hpp"
#include "base/run_to_end.hpp"
#include "contract/two_clients.hpp"
#include "support/hand_in.hpp"

namespace sluice {
namespace {

using Fate = OrderIntake::Fate;
using testing::ElementsAre;
using testing::Pair;

using contract::TwoClientsContract;

TEST_P(TwoClientsContract, TheLastUnitsAreSoldOnce) {
    std::vector<Task<OrderIntake::Taken>> purchases;
    for (std::int64_t buyer = 1; buyer <= 30; ++buyer)
        purchases.push_back(
            testing_support::hand_in(buyer % 2 == 0 ? intake : other.intake, make_ticket(buyer)));
    std::size_t ordered = 0;
    for (const auto& taken : all_at_once(std::move(purchases)))
        ordered += taken.fate == Fate::ordered ? 1 : 0;
    EXPECT_EQ(ordered, 10U);
    expect_stock(0, 10);
    expect_books_in_order();
}

TEST_P(TwoClientsContract, OneTicketIsOneOrder) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto [one, two] = at_once(testing_support::hand_in(intake, make_ticket(buyer)),
                                        testing_support::hand_in(other.intake, make_ticket(buyer)));
        EXPECT_EQ(one.record.order, two.record.order);
        EXPECT_NE(one.fresh, two.fresh);
    }
    expect_stock(5, 5);
}

TEST_P(TwoClientsContract, OneWishIsOneOrder) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        auto again = make_ticket(buyer, 2);
        again.key = make_ticket(buyer, 1).key;
        const auto [one, two] = at_once(testing_support::hand_in(intake, make_ticket(buyer, 1)),
                                        testing_support::hand_in(other.intake, again));
        EXPECT_EQ(one.record.order, two.record.order);
    }
    expect_stock(5, 5);
    expect_books_in_order();
}

TEST_P(TwoClientsContract, ABatchThatBothTakeIsWrittenOnce) {
    std::vector<Ticket> batch;
    for (std::int64_t buyer = 1; buyer <= 8; ++buyer) batch.push_back(make_ticket(buyer));
    run_to_end(ledgers->tickets().prepare(batch));
    const auto [one, two] = at_once(ledgers->tickets().write(batch), other.tickets.write(batch));
    for (std::size_t i = 0; i < batch.size(); ++i)
        EXPECT_EQ(one[i]->record.order, two[i]->record.order);
    expect_stock(2, 8);
}

TEST_P(TwoClientsContract, PreparedRowsThatBothTakeAreWrittenOnce) {
    std::vector<Ticket> batch;
    for (std::int64_t buyer = 1; buyer <= 8; ++buyer) batch.push_back(make_ticket(buyer));
    run_to_end(ledgers->tickets().prepare(batch));
    PreparedTickets mine{ledgers->tickets(), ledgers->clock()};
    PreparedTickets theirs{other.tickets, ledgers->clock()};
    const auto [one, two] = at_once(mine.take(100), theirs.take(100));
    EXPECT_EQ(one.size(), 8U);
    EXPECT_EQ(two.size(), 8U) << "nobody keeps a row from the others";
    const auto tickets_of = [](const std::vector<TicketSource::Delivery>& deliveries) {
        std::vector<Ticket> tickets;
        for (const auto& delivery : deliveries)
            tickets.insert(tickets.end(), delivery.tickets.begin(), delivery.tickets.end());
        return tickets;
    };
    at_once(ledgers->tickets().write(tickets_of(one)), other.tickets.write(tickets_of(two)));
    expect_stock(2, 8);
    EXPECT_TRUE(run_to_end(ledgers->tickets().prepared(100)).empty());
    expect_books_in_order();
}

TEST_P(TwoClientsContract, AFenceAndAnOrderNeverBothStand) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto [fenced, taken] =
            at_once(orders.fence({make_ticket(buyer)}),
                    testing_support::hand_in(other.intake, make_ticket(buyer)));
        ASSERT_EQ(fenced.records.size(), 1U);
        EXPECT_EQ(fenced.records[0].state, taken.own.state);
    }
    expect_books_in_order();
}

TEST_P(TwoClientsContract, AnOrderIsGivenBackOnce) {
    const auto order = buy(1, 1, 2);
    const auto instant = ledgers->clock().now();
    const auto [one, two] = at_once(orders.cancel(order.id, UserId{1}, instant),
                                    other.ledgers.orders().cancel(order.id, UserId{1}, instant));
    ASSERT_TRUE(one);
    ASSERT_TRUE(two);
    EXPECT_NE(one->fresh, two->fresh);
    expect_stock(10, 0);
    expect_books_in_order();
}

TEST_P(TwoClientsContract, WhatIsDueExpiresOnce) {
    for (std::int64_t buyer = 1; buyer <= 9; ++buyer) buy(buyer);
    ledgers->clock().move(std::chrono::seconds{sale.hold_seconds});
    const auto instant = ledgers->clock().now();
    const auto [one, two] =
        at_once(orders.expire(instant, 100, {}), other.ledgers.orders().expire(instant, 100, {}));
    EXPECT_EQ(one.orders + two.orders, 9U);
    EXPECT_TRUE(one.stuck.empty());
    EXPECT_TRUE(two.stuck.empty());
    expect_stock(10, 0);
    expect_books_in_order();
}

TEST_P(TwoClientsContract, NoRestockIsLost) {
    const auto restock = [](Sale& changed) {
        changed.stock.total += 1;
        changed.stock.left += 1;
    };
    std::vector<Task<Outcome<CatalogLedger::SaleChanged>>> changes;
    for (int i = 0; i < 20; ++i) {
        auto& catalog = i % 2 == 0 ? ledgers->all().catalog() : other.ledgers.catalog();
        changes.push_back(catalog.change_sale(sale.id, decide_by(set(restock)), std::nullopt));
    }
    for (const auto& changed : all_at_once(std::move(changes))) EXPECT_TRUE(changed);
    EXPECT_EQ(stored_sale().stock.total, 30);
    EXPECT_EQ(stored_sale().version, sale.version + 20);
    expect_books_in_order();
}

TEST_P(TwoClientsContract, AnEpochsNumberComesOnce) {
    const auto instant = ledgers->clock().now();
    const auto [one, two] = at_once(orders.begin_epoch(sale.id, 0, instant),
                                    other.ledgers.orders().begin_epoch(sale.id, 0, instant));
    EXPECT_NE(one->filling.epoch, two->filling.epoch);
    EXPECT_EQ(one->filling.ledger, two->filling.ledger);
}

TEST_P(TwoClientsContract, OneKeyCreatesOnce) {
    const auto receipt = [&](const char* answer) { return make_receipt("key", 1, answer); };
    const auto [one, two] =
        at_once(ledgers->all().catalog().add_item(make_item(8), make_deed(8), receipt("first")),
                other.ledgers.catalog().add_item(make_item(9), make_deed(9), receipt("second")));
    ASSERT_TRUE(one);
    ASSERT_TRUE(two);
    EXPECT_EQ(run_to_end(ledgers->all().catalog().load()).items.size(), 2U);
}

TEST_P(TwoClientsContract, AReceiptIsFoundWholeAndPrunedOnce) {
    auto& receipts = ledgers->all().receipts();
    auto& others = other.ledgers.receipts();
    for (std::int64_t id = 8; id <= 15; ++id) {
        const auto receipt = make_receipt(std::to_string(id), 1, "answer");
        const auto [added, found] =
            at_once(ledgers->all().catalog().add_item(make_item(id), make_deed(id), receipt),
                    others.find(receipt));
        ASSERT_TRUE(added && found);
        EXPECT_EQ(found->first_answer.value_or("answer"), "answer");
        EXPECT_EQ(run_to_end(others.find(receipt))->first_answer, "answer");
    }
    const auto later = now + kReceiptLife;
    const auto [one, two] = at_once(receipts.prune(later, 100), others.prune(later, 100));
    EXPECT_EQ(one + two, 8U);
}

TEST_P(TwoClientsContract, OneStandingSaleOfAnItem) {
    auto standing = make_sale(2, ItemId{1}, SaleKind::standing);
    standing.ends_at.reset();
    auto another = standing;
    another.id = SaleId{3};
    const auto [one, two] =
        at_once(ledgers->all().catalog().add_sale(standing, make_deed(8), std::nullopt),
                other.ledgers.catalog().add_sale(another, make_deed(9), std::nullopt));
    EXPECT_NE(one.has_value(), two.has_value());
}

TEST_P(TwoClientsContract, AnItemIsArchivedOrSold) {
    for (std::int64_t id = 20; id < 25; ++id) {
        auto item = make_item(id);
        ASSERT_TRUE(run_to_end(
            ledgers->all().catalog().add_item(item, make_deed(2'000 + id), std::nullopt)));
        item.archived = true;
        item.version = 2;
        const auto [archived, added] =
            at_once(ledgers->all().catalog().update_item(item, make_deed(3'000 + id)),
                    other.ledgers.catalog().add_sale(make_sale(id, item.id), make_deed(4'000 + id),
                                                     std::nullopt));
        EXPECT_NE(archived.has_value(), added.has_value()) << "whoever comes second is refused";
    }
}

TEST_P(TwoClientsContract, ThereIsAlwaysAnAdmin) {
    for (const std::int64_t id : {2, 3}) {
        add_user(id);
        ASSERT_TRUE(
            run_to_end(ledgers->all().users().set_role(UserId{id}, Role::admin, make_deed(id))));
    }
    const auto demote = [&](UserLedger& users, std::int64_t id, std::int64_t deed) {
        return users.change_role(UserId{id}, Role::admin, Role::buyer, make_deed(deed));
    };
    const auto [one, two] =
        at_once(demote(ledgers->all().users(), 2, 20), demote(other.ledgers.users(), 3, 30));
    EXPECT_NE(one.has_value(), two.has_value());
}

TEST_P(TwoClientsContract, BothSeeWhatTheOtherHasWritten) {
    const auto order = buy(1);
    const auto seen = run_to_end(other.ledgers.orders().order(order.id, UserId{1}));
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->state, OrderState::pending);
}

RUN_ON_EVERY_ADAPTER(TwoClientsContract);

}  // namespace
}  // namespace sluice
