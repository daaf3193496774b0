#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// Orders of the sale are held for 60 s.
class ExpiryContract : public contract::OrderContract {
  protected:
    OrderLedger::Expired expire(std::size_t limit = 100, OrderLedger::DuePlace after = {}) {
        return run_to_end(orders.expire(ledgers->clock().now(), limit, after));
    }
    OrderState state_of(const Order& order) {
        return run_to_end(orders.order(order.id, order.buyer))->state;
    }
};

TEST_P(ExpiryContract, AnOrderExpiresAtItsInstantAndNotBefore) {
    const auto order = buy(7, 1, 2);
    EXPECT_EQ(run_to_end(orders.next_due({})), order.expires_at);
    ledgers->clock().move(order.expires_at - ledgers->clock().now() - milliseconds{1});
    EXPECT_EQ(expire().orders, 0U);
    expect_stock(8, 2);
    ledgers->clock().move(milliseconds{1});
    const auto expired = expire();
    EXPECT_EQ(expired.orders, 1U);
    EXPECT_THAT(expired.sales, ElementsAre(sale.id));
    const HotChange back{.seq = 1, .delta_left = 2, .buyer = UserId{7}, .delta_units = -2};
    EXPECT_THAT(outbox(), ElementsAre(back));
    EXPECT_EQ(state_of(order), OrderState::expired);
    expect_stock(10, 0);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 0)));
    EXPECT_EQ(expire().orders, 0U) << "once";
    EXPECT_EQ(run_to_end(orders.next_due({})), std::nullopt);
}

TEST_P(ExpiryContract, TakesTheLongestDueFirstAndNoMoreThanAsked) {
    const auto first = buy(7);
    ledgers->clock().move(seconds{1});
    const auto second = buy(8), third = buy(9);
    ledgers->clock().move(seconds{60});
    EXPECT_EQ(expire(2).orders, 2U);
    EXPECT_EQ(state_of(first), OrderState::expired);
    EXPECT_EQ(run_to_end(orders.next_due({})), third.expires_at);
    expect_stock(9, 1);
    EXPECT_EQ(expire(2).orders, 1U);
    EXPECT_EQ(state_of(second), OrderState::expired);
    expect_stock(10, 0);
}

TEST_P(ExpiryContract, WhatIsNotPendingDoesNotExpire) {
    const auto order = buy(7);
    ASSERT_TRUE(run_to_end(orders.cancel(order.id, UserId{7}, ledgers->clock().now())));
    EXPECT_EQ(run_to_end(orders.next_due({})), std::nullopt);
    ledgers->clock().move(seconds{60});
    EXPECT_EQ(expire().orders, 0U);
    EXPECT_EQ(state_of(order), OrderState::cancelled);
    expect_stock(10, 0);
}

TEST_P(ExpiryContract, AnOrderThatIsDueIsNotCancelledAnyMore) {
    const auto order = buy(7);
    const auto late = run_to_end(orders.cancel(order.id, UserId{7}, order.expires_at));
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().reason, Reason::conflict);
    EXPECT_TRUE(run_to_end(orders.cancel(order.id, UserId{7}, order.expires_at - milliseconds{1})));
}

TEST_P(ExpiryContract, ABuyerMayBuyAgainAfterwards) {
    buy(7, 1, 3);
    ledgers->clock().move(seconds{60});
    expire();
    EXPECT_EQ(buy(7, 2, 3).state, OrderState::pending);
}

TEST_P(ExpiryContract, OneOrderWhoseUnitsAreGoneKeepsNobodyElse) {
    const auto broken = buy(7), sound = buy(8);
    ledgers->lose_holding(sale.id, UserId{7});
    ledgers->clock().move(seconds{60});
    const auto expired = expire();
    EXPECT_THAT(expired.stuck, ElementsAre(broken.id));
    EXPECT_EQ(expired.orders, 1U);
    EXPECT_EQ(state_of(broken), OrderState::pending);
    EXPECT_EQ(state_of(sound), OrderState::expired);
    expect_stock(9, 1);
}

TEST_P(ExpiryContract, ASaleWhoseStockWasChangedKeepsNobodyElse) {
    const auto broken = buy(7, 1, 2), sound = buy(8);
    ledgers->lose_held(sale.id, 1);
    ledgers->clock().move(seconds{60});
    const auto expired = expire();
    EXPECT_THAT(expired.stuck, ElementsAre(sound.id)) << "what is left of them is enough for one";
    EXPECT_EQ(expired.orders, 1U);
    EXPECT_EQ(state_of(broken), OrderState::expired);
    EXPECT_EQ(state_of(sound), OrderState::pending);
}

TEST_P(ExpiryContract, GoesOnAfterAPlaceSoThatWhatIsStuckKeepsNobodyElse) {
    const auto stuck = buy(7), other = buy(8);
    ledgers->clock().move(seconds{1});
    const auto sound = buy(9);
    ledgers->lose_holding(sale.id, UserId{7});
    ledgers->lose_holding(sale.id, UserId{8});
    ledgers->clock().move(seconds{60});
    auto expired = expire(1);
    EXPECT_THAT(expired.stuck, ElementsAre(stuck.id));
    expired = expire(1, expired.last);
    EXPECT_THAT(expired.stuck, ElementsAre(other.id)) << "due at the same instant";
    EXPECT_EQ(run_to_end(orders.next_due(expired.last)), sound.expires_at);
    expired = expire(1, expired.last);
    EXPECT_EQ(expired.orders, 1U);
    EXPECT_EQ(state_of(sound), OrderState::expired);
    EXPECT_EQ(run_to_end(orders.next_due(expired.last)), std::nullopt);
    EXPECT_EQ(expire(1, expired.last).last, expired.last) << "nothing more is due";
    EXPECT_EQ(run_to_end(orders.next_due({})), stuck.expires_at) << "it is still pending";
}

RUN_ON_EVERY_ADAPTER(ExpiryContract);

}  // namespace
}  // namespace sluice
