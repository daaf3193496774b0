#include "base/retry.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class RetryTest : public testing::Test {
  protected:
    std::chrono::steady_clock::time_point now;
    std::vector<std::chrono::milliseconds> pauses;
    const RetryTools tools{.now = [this] { return now; },
                           .sleep =
                               [this](std::chrono::milliseconds pause) {
                                   pauses.push_back(pause);
                                   now += pause;
                               },
                           .chance = [] { return 1.0; }};
    int tries = 0;

    /// Throws Retry so often, then returns how often it was run.
    int run(int losses, std::chrono::milliseconds patience) {
        return retry(Backoff{10ms, 40ms}, patience, tools, [&] {
            if (++tries <= losses) throw Retry("deadlock");
            return tries;
        });
    }
};

TEST_F(RetryTest, RunsAtOnceWhatDoesNotLose) {
    EXPECT_EQ(run(0, 0ms), 1);
    EXPECT_THAT(pauses, ElementsAre());
}

TEST_F(RetryTest, RunsAgainWhatLost) {
    EXPECT_EQ(run(4, 1s), 5);
    EXPECT_THAT(pauses, ElementsAre(10ms, 20ms, 40ms, 40ms));
}

TEST_F(RetryTest, ItsPatienceIsABound) {
    EXPECT_EQ(run(2, 30ms), 3) << "a pause may end just in time";
    tries = 0;
    pauses.clear();
    try {
        run(2, 29ms);
        FAIL() << "the second pause would end too late";
    } catch (const Outage& outage) {
        EXPECT_STREQ(outage.what(), "deadlock");
    }
    EXPECT_EQ(tries, 2);
    EXPECT_THAT(pauses, ElementsAre(10ms));
}

TEST_F(RetryTest, TimeThatTheWorkTakesCounts) {
    const auto work = [&] {
        ++tries;
        now += 50ms;
        throw Retry("lock wait");
    };
    EXPECT_THROW(retry(Backoff{10ms, 40ms}, 100ms, tools, work), Outage);
    EXPECT_EQ(tries, 2);
}

TEST_F(RetryTest, WhatIsNoLostRaceIsNotRunAgain) {
    const auto work = [&] {
        ++tries;
        throw UnknownOutcome("the connection was lost in the commit");
    };
    EXPECT_THROW(retry(Backoff{10ms, 40ms}, 1s, tools, work), UnknownOutcome);
    EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace sluice
