#include "gate/day_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class DayLimiterTest : public testing::Test {
  protected:
    DayLimiter limiter{4};
    DayLimiter::Instant now = std::chrono::steady_clock::now();

    bool gets_one(std::uint64_t key, std::uint32_t per_day) {
        const DayLimiter::Bound bound{key, per_day};
        if (limiter.wait(bound, now) > 0s) return false;
        limiter.count(bound, now);
        return true;
    }
    int got(std::uint64_t key, std::uint32_t per_day) {
        int count = 0;
        while (gets_one(key, per_day)) ++count;
        return count;
    }
};

TEST_F(DayLimiterTest, AllAtOnceAndThenOneAfterTheOther) {
    EXPECT_EQ(got(1, 4), 4);
    EXPECT_EQ(limiter.wait({1, 4}, now), 6h) << "not until the day is over";
    now += 6h - 1ms;
    EXPECT_EQ(got(1, 4), 0);
    now += 1ms;
    EXPECT_EQ(got(1, 4), 1);
    now += 12h;
    EXPECT_EQ(got(1, 4), 2);
    now += 24h;
    EXPECT_EQ(got(1, 4), 4);
}

TEST_F(DayLimiterTest, AKeyIsForgottenWhenAllOfItIsThereAgain) {
    EXPECT_TRUE(gets_one(1, 4));
    now += 6h - 1ms;
    EXPECT_TRUE(gets_one(2, 4));
    EXPECT_EQ(limiter.size(), 2u);
    now += 1ms;
    EXPECT_EQ(limiter.wait({3, 4}, now), 0s);
    EXPECT_EQ(limiter.size(), 1u);
}

TEST_F(DayLimiterTest, ATableThatIsFullKeepsWhatItKnows) {
    for (std::uint64_t key = 1; key <= 4; ++key) EXPECT_TRUE(gets_one(key, 4));
    EXPECT_EQ(limiter.wait({5, 4}, now), DayLimiter::kWaitWhenFull);
    EXPECT_TRUE(gets_one(4, 4));
    now += 6h;
    EXPECT_TRUE(gets_one(5, 4));
}

TEST_F(DayLimiterTest, WhatOthersHaveUsedUpCounts) {
    EXPECT_TRUE(gets_one(1, 4));
    limiter.correct(1, 24h, now);
    EXPECT_EQ(limiter.wait({1, 4}, now), 6h);
    limiter.correct(1, 6h, now);
    EXPECT_EQ(limiter.wait({1, 4}, now), 6h) << "never less";
    limiter.correct(2, 24h, now);
    EXPECT_EQ(limiter.wait({2, 4}, now), 0s) << "what is not known is not counted here";
}

}  // namespace
}  // namespace sluice::gate
