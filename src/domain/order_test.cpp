#include "domain/order.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace sluice {
namespace {

constexpr std::array kStates{OrderState::pending, OrderState::paid, OrderState::expired,
                             OrderState::cancelled, OrderState::refunded};

TEST(OrderState, GoesIntoTextAndBack) {
    for (const auto state : kStates) EXPECT_EQ(parse_order_state(to_string(state)), state);
    EXPECT_EQ(parse_order_state("lost"), std::nullopt);
}

RC_GTEST_PROP(OrderState, AnySequenceKeepsTheRules, ()) {
    const auto wishes = *rc::gen::container<std::vector<OrderState>>(rc::gen::elementOf(kStates));
    std::vector<OrderState> lived{OrderState::pending};
    for (const auto wish : wishes)
        if (may_become(lived.back(), wish)) lived.push_back(wish);
    const auto was = [&](OrderState state) { return std::ranges::count(lived, state) > 0; };

    RC_ASSERT(!(was(OrderState::paid) && was(OrderState::cancelled)));
    RC_ASSERT(!(was(OrderState::paid) && was(OrderState::expired)));
    RC_ASSERT(!was(OrderState::refunded) || was(OrderState::paid));
    for (const auto state : kStates) RC_ASSERT(std::ranges::count(lived, state) <= 1);
    // Once its units are returned they belong to somebody else.
    const auto first_dead = std::ranges::find_if_not(lived, is_live);
    RC_ASSERT(std::none_of(first_dead, lived.end(), is_live));
    const bool is_final = std::ranges::none_of(
        kStates, [&](OrderState next) { return may_become(lived.back(), next); });
    RC_ASSERT(is_final != is_live(lived.back()));
}

}  // namespace
}  // namespace sluice
