#include "gate/guess_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class GuessLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    GuessLimiter limiter{scope, {1, 2, 3}};
    GuessLimiter::Instant now = std::chrono::steady_clock::now() + 1h;

    auto wait(UserId buyer) { return limiter.look(buyer, now).count.wait; }
    int guesses(UserId buyer) {
        int count = 0;
        for (; count < 1'000 && wait(buyer) == 0ms; ++count) limiter.note_wrong(buyer, now);
        return count;
    }
};

TEST_F(GuessLimiterTest, AllowsTenMistakesAndThenTwoAMinute) {
    EXPECT_EQ(guesses(UserId{1}), 10);
    EXPECT_EQ(wait(UserId{1}), 30s);
    EXPECT_EQ(wait(UserId{2}), 0ms) << "nobody else";
    now += 30s;
    EXPECT_EQ(guesses(UserId{1}), 1);
    EXPECT_EQ(wait(UserId{1}), 30s);
}

TEST_F(GuessLimiterTest, LookingCountsNothing) {
    for (int i = 0; i < 100; ++i) EXPECT_EQ(wait(UserId{1}), 0ms);
    EXPECT_EQ(guesses(UserId{1}), 10);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(wait(UserId{1}), 30s);
}

TEST_F(GuessLimiterTest, CanBeTurnedOff) {
    scope.replace(false, {});
    EXPECT_EQ(guesses(UserId{1}), 1'000);
}

}  // namespace
}  // namespace sluice::gate
