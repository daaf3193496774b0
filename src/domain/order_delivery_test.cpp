#include "domain/order_delivery.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using enum OrderDeliveryState;

const Timestamp kNow = from_millis(1'800'000'000'000);
const Timestamp kEarlier = from_millis(1'799'999'999'000);

OrderDelivery shipped_before() {
    return {.state = shipped, .carrier = "顺丰", .number = "SF1", .changed_at = kEarlier};
}

Outcome<OrderDelivery> change(const OrderDeliveryWish& wish, const OrderDelivery& before = {}) {
    return change_delivery(before, wish, OrderState::paid, kNow);
}

TEST(OrderDelivery, NamesAreReadAsTheyAreWritten) {
    for (const auto state : {none, preparing, shipped, delivered})
        EXPECT_EQ(parse_order_delivery_state(to_string(state)), state);
    EXPECT_EQ(parse_order_delivery_state("lost"), std::nullopt);
}

TEST(OrderDelivery, OnlyAPaidOrderIsDelivered) {
    struct Case {
        OrderState order;
        bool allowed;
    };
    for (const auto& [order, allowed] : {Case{OrderState::pending, false},
                                         {OrderState::paid, true},
                                         {OrderState::expired, false},
                                         {OrderState::cancelled, false},
                                         {OrderState::refunded, false}}) {
        const auto after = change_delivery({}, {.state = preparing}, order, kNow);
        ASSERT_EQ(after.has_value(), allowed) << to_string(order);
        if (allowed) continue;
        EXPECT_EQ(after.error().reason, Reason::conflict);
        EXPECT_EQ(after.error().detail, Detail::nothing_to_deliver);
    }
}

TEST(OrderDelivery, AnyStateMayFollowAnyOther) {
    for (const auto from : {none, preparing, shipped, delivered})
        for (const auto to : {none, preparing, shipped, delivered}) {
            const OrderDelivery before{.state = from, .changed_at = kEarlier};
            const auto after = change({.state = to}, before);
            ASSERT_TRUE(after.has_value());
            EXPECT_EQ(after->state, to);
            EXPECT_EQ(after->changed_at, from == to ? kEarlier : kNow);
        }
}

TEST(OrderDelivery, WhatIsLeftOutStays) {
    const auto after = change({.state = delivered}, shipped_before());
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(after->carrier, "顺丰");
    EXPECT_EQ(after->number, "SF1");
    EXPECT_EQ(change({.number = "SF2"}, shipped_before())->state, shipped);
    EXPECT_EQ(change({.carrier = ""}, shipped_before())->carrier, "");
}

TEST(OrderDelivery, TheSameAgainChangesNothing) {
    EXPECT_EQ(
        *change({.state = shipped, .carrier = " 顺丰\u3000", .number = "SF1 "}, shipped_before()),
        shipped_before());
    EXPECT_EQ(*change({}, shipped_before()), shipped_before());
}

TEST(OrderDelivery, BackToNoneDropsCarrierAndNumber) {
    const auto after = change({.state = none}, shipped_before());
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(*after, (OrderDelivery{.state = none, .changed_at = kNow}));
}

TEST(OrderDelivery, WhatIsWrongNamesItsField) {
    const auto field_of = [](const OrderDeliveryWish& wish) -> std::string {
        const auto after = change(wish);
        if (after) return "";
        return after.error().errors.size() == 1 ? after.error().errors[0].field : "several";
    };
    const std::string sixty(kMaxCarrierLength, 'c'), longest(kMaxTrackingNumberLength, '9');
    std::string emoji;
    for (std::size_t i = 0; i < kMaxCarrierLength; ++i) emoji += "🚚";
    EXPECT_EQ(field_of({.state = shipped, .carrier = sixty, .number = longest}), "");
    EXPECT_EQ(field_of({.state = shipped, .carrier = emoji}), "") << "characters, not bytes";
    EXPECT_EQ(field_of({.state = shipped, .carrier = sixty + "c"}), "carrier");
    EXPECT_EQ(field_of({.state = shipped, .carrier = "a\nb"}), "carrier");
    EXPECT_EQ(field_of({.state = shipped, .number = longest + "9"}), "number");
    EXPECT_EQ(field_of({.state = shipped, .number = "1Z-999.AA/10_12 x"}), "");
    for (const auto* odd : {"单号", "a\tb", "<b>", "=1+1", "a&b", "javascript:x"})
        EXPECT_EQ(field_of({.state = shipped, .number = odd}), "number") << odd;
    EXPECT_EQ(field_of({.carrier = "DHL"}), "carrier") << "nothing is being delivered";
    EXPECT_EQ(field_of({.number = "1"}), "number");
    EXPECT_EQ(field_of({.state = none, .carrier = "DHL", .number = "1"}), "several");
}

}  // namespace
}  // namespace sluice
