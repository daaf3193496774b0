#include "app/orders/network_holders.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "ports/entry_desk.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Taken = NetworkHolders::Taken;

class NetworkHoldersTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::ScriptedOrders ledger;
    NetworkHolders holders{ledger, clock};
    Sale sale;

    void SetUp() override {
        sale.id = SaleId{5};
        sale.hold_seconds = 600;
    }
    NetworkHolders::Place place(std::int64_t buyer, std::string_view from = "203.0.113.7") {
        return {sale.id, {Address::parse(from).value(), most}, UserId{buyer}};
    }
    Taken take(std::int64_t buyer, std::string_view from = "203.0.113.7") {
        return holders.take(place(buyer, from), sale);
    }
    bool make_room(std::int64_t buyer) {
        clock.move(NetworkHolders::kAskedAgain);
        return run_to_end(holders.make_room(place(buyer)));
    }
    void buys(std::int64_t buyer, OrderState state) {
        Order order;
        order.sale_id = sale.id;
        order.state = state;
        order.created_at = clock.now();
        order.expires_at = clock.now() + std::chrono::seconds(sale.hold_seconds);
        ledger.orders_of[UserId{buyer}] = {order};
    }

    unsigned most = 2;
};

TEST_F(NetworkHoldersTest, SoManyPeopleOfANetworkAndNoMore) {
    EXPECT_EQ(take(1), Taken::now);
    EXPECT_EQ(take(2), Taken::now);
    EXPECT_EQ(take(3), Taken::full);
    EXPECT_FALSE(holders.has_room(place(3)));
    EXPECT_EQ(take(1), Taken::before) << "whoever has a place comes again";
    EXPECT_EQ(take(3, "203.0.113.8"), Taken::now) << "another network";
    sale.id = SaleId{6};
    EXPECT_EQ(take(3), Taken::now) << "another sale";
    most = 0;
    sale.id = SaleId{5};
    EXPECT_TRUE(holders.has_room(place(3))) << "no bound";
    EXPECT_EQ(take(3), Taken::before);
}

TEST_F(NetworkHoldersTest, ASiteOfIpv6HasFourTimesAsMany) {
    int taken = 0;
    for (int i = 0; i < 20; ++i)
        taken += take(i, "2001:db8:0:" + std::to_string(i) + "::1") == Taken::now;
    EXPECT_EQ(taken, 8);
    EXPECT_EQ(take(99, "2001:db8:1::1"), Taken::now);
}

TEST_F(NetworkHoldersTest, WhoeverGetsNoPassHoldsNothing) {
    take(1);
    take(2);
    holders.leave(place(2));
    EXPECT_EQ(take(3), Taken::now);
}

TEST_F(NetworkHoldersTest, APlaceEndsWithThePassOrWithWhatItBought) {
    take(1);
    take(2);
    EXPECT_FALSE(make_room(3)) << "their passes may still buy";
    buys(1, OrderState::pending);
    buys(2, OrderState::pending);
    EXPECT_FALSE(make_room(3));
    buys(1, OrderState::paid);
    EXPECT_TRUE(make_room(3));
    EXPECT_EQ(take(3), Taken::now);
    buys(3, OrderState::cancelled);
    EXPECT_TRUE(make_room(4));
}

TEST_F(NetworkHoldersTest, APassThatLapsedHoldsNothing) {
    take(1);
    take(2);
    buys(1, OrderState::pending);
    clock.move(EntryDesk::kLifetime + 9s);
    EXPECT_TRUE(make_room(3));
    EXPECT_EQ(take(3), Taken::now);
    EXPECT_EQ(take(4), Taken::full) << "the first still holds units";
}

TEST_F(NetworkHoldersTest, WhatNobodyAsksAboutEndsByItself) {
    take(1);
    take(2);
    clock.move(EntryDesk::kLifetime + 10s + 600s - 1ms);
    EXPECT_FALSE(holders.has_room(place(3)));
    clock.move(1ms);
    EXPECT_TRUE(holders.has_room(place(3)));
    EXPECT_EQ(ledger.order_lists, 0);
}

TEST_F(NetworkHoldersTest, TheLedgerIsAskedAboutFewAndNotOften) {
    most = 100;
    for (int i = 0; i < 100; ++i) take(i);
    for (int i = 0; i < 50; ++i) run_to_end(holders.make_room(place(200)));
    EXPECT_EQ(ledger.order_lists, 32);
    buys(99, OrderState::paid);
    EXPECT_FALSE(make_room(200));
    EXPECT_FALSE(make_room(200));
    EXPECT_TRUE(make_room(200)) << "each has their turn";
    EXPECT_LE(ledger.order_lists, 4 * 32);
    ledger.away = true;
    take(200);
    clock.move(1s);
    EXPECT_THROW(run_to_end(holders.make_room(place(201))), Outage);
}

}  // namespace
}  // namespace sluice
