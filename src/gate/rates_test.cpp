#include "gate/rates.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

TEST(RatesInForce, AnAddressCountsForManyPeople) {
    RateLimits limits;
    limits.of(RateClass::buying) = {.per_minute = 120, .burst = 20};
    limits.people_per_address = 10;
    const RatesInForce rates(limits);
    EXPECT_EQ(rates.by_buyer(RateClass::buying), (Quota{.interval = 500'000, .burst = 20}));
    EXPECT_EQ(rates.by_address(RateClass::buying), (Quota{.interval = 50'000, .burst = 200}));
    EXPECT_EQ(rates.by_site(RateClass::buying), (Quota{.interval = 6'250, .burst = 1'600}));
}

TEST(RatesInForce, SaleAndNodeHaveNoneUnlessTold) {
    RateLimits limits;
    RatesInForce rates(limits);
    EXPECT_FALSE(rates.by_sale());
    EXPECT_FALSE(rates.for_node());
    limits.sale = {.per_second = 2'000, .burst = 100};
    rates.set(limits);
    EXPECT_EQ(rates.by_sale(), (Quota{.interval = 500, .burst = 100}));
    EXPECT_FALSE(rates.for_node());
}

TEST(RatesInForce, TheHighestLimitsAreStillLimits) {
    RateLimits limits;
    for (const auto& setting : kRateSettings) setting.field(limits) = setting.most;
    const RatesInForce rates(limits);
    EXPECT_EQ(rates.by_address(RateClass::reading).interval, 1u);
    EXPECT_EQ(rates.by_site(RateClass::reading).interval, 1u);
    EXPECT_EQ(rates.by_sale().interval, 1u);
}

}  // namespace
}  // namespace sluice::gate
