#include "base/backoff.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

TEST(Backoff, DoublesUpToItsBound) {
    constexpr Backoff backoff{2ms, 100ms};
    const std::chrono::milliseconds expected[] = {2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 100ms, 100ms};
    for (std::int64_t failure = 0; failure < 8; ++failure)
        EXPECT_EQ(backoff.after(failure), expected[failure]) << failure;
}

TEST(Backoff, StaysWithinItsBoundHoweverOftenItFails) {
    constexpr Backoff backoff{1ms, 24h};
    for (const std::int64_t failure : {40L, 62L, 63L, 64L, 1'000'000L})
        EXPECT_EQ(backoff.after(failure), 24h) << failure;
    EXPECT_EQ(backoff.after(std::numeric_limits<std::int64_t>::max(), 1.0), 24h);
    EXPECT_EQ((Backoff{5s, 1s}).after(0), 1s);
}

TEST(Backoff, LeavesHalfOfItToChance) {
    constexpr Backoff backoff{100ms, 1s};
    EXPECT_EQ(backoff.after(1, 0.0), 100ms);
    EXPECT_EQ(backoff.after(1, 0.5), 150ms);
    EXPECT_EQ(backoff.after(1, 1.0), 200ms);
    EXPECT_EQ((Backoff{1ms, 1s}).after(0, 1.0), 1ms) << "half of an odd number is not lost";
}

}  // namespace
}  // namespace sluice
