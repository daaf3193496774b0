#include "gate/rate_limiter.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kKey = 0x123456789abcdef0;
const Quota kQuota = Quota::of(Rate{.per_minute = 60, .burst = 3});

class RateLimiterTest : public testing::Test {
  protected:
    RateLimiter limiter{16};
    const RateLimiter::Instant now = std::chrono::steady_clock::now();

    std::chrono::microseconds wait(std::chrono::milliseconds later = 0ms, Quota quota = kQuota) {
        return limiter.count(kKey, quota, now + later).wait;
    }
};

TEST_F(RateLimiterTest, LetsABurstThroughAndThenTheSteadyRate) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(wait(), 0ms);
    EXPECT_EQ(wait(), 1s);
    EXPECT_EQ(wait(999ms), 1ms);
    EXPECT_EQ(wait(1s), 0ms);
    EXPECT_EQ(wait(1s), 1s);
}

TEST_F(RateLimiterTest, AForgottenKeyStartsAnewAndNoOther) {
    const auto other = kKey ^ (std::uint64_t{1} << 60);
    for (int i = 0; i < 3; ++i) {
        wait();
        limiter.count(other, kQuota, now);
    }
    limiter.forget(kKey);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(wait(), 0ms);
    EXPECT_EQ(limiter.count(other, kQuota, now).wait, 1s);
}

TEST_F(RateLimiterTest, WhatIsGivenBackMayBeUsedAgain) {
    limiter.give_back(kKey, kQuota);
    EXPECT_EQ(wait(), 0ms);
    limiter.give_back(kKey, kQuota);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(wait(), 0ms);
    EXPECT_EQ(wait(), 1s);
    limiter.give_back(kKey, kQuota);
    EXPECT_EQ(wait(), 0ms);
    EXPECT_EQ(wait(), 1s);
}

TEST_F(RateLimiterTest, ARefusalCostsNothingMore) {
    for (int i = 0; i < 100; ++i) wait();
    EXPECT_EQ(wait(3s), 0ms);
}

TEST_F(RateLimiterTest, SaysHowManyMore) {
    for (std::uint32_t left : {2u, 1u, 0u}) {
        const auto count = limiter.count(kKey, kQuota, now);
        EXPECT_EQ(count.left, left);
        EXPECT_EQ(count.full_in, (3 - left) * 1s);
    }
    const auto refused = limiter.count(kKey, kQuota, now + 500ms);
    EXPECT_EQ(refused.left, 0u);
    EXPECT_EQ(refused.wait, 500ms);
    EXPECT_EQ(refused.full_in, 2500ms);
}

TEST_F(RateLimiterTest, KeysDoNotShare) {
    for (int i = 0; i < 4; ++i) wait();
    EXPECT_EQ(limiter.count(kKey ^ (std::uint64_t{1} << 60), kQuota, now).wait, 0ms);
}

TEST_F(RateLimiterTest, AChangedLimitCountsAtOnce) {
    const Quota slow = Quota::of(Rate{.per_minute = 1, .burst = 60});
    for (int i = 0; i < 60; ++i) EXPECT_EQ(wait(0ms, slow), 0ms);
    EXPECT_EQ(wait(0ms, slow), 60s);
    EXPECT_EQ(wait(), 1s) << "an hour's debt under the old limit is not carried over";
    EXPECT_EQ(wait(1s), 0ms);
}

TEST_F(RateLimiterTest, CountsUpToAMillionASecond) {
    const Quota fast = Quota::of(CommonRate{.per_second = 1'000'000, .burst = 10});
    for (int i = 0; i < 10; ++i) EXPECT_EQ(wait(0ms, fast), 0ms);
    EXPECT_EQ(wait(0ms, fast), 1us);
}

TEST(RateLimiter, AFloodOfKeysForgetsTheIdleFirst) {
    RateLimiter limiter{1};
    const auto now = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) limiter.count(kKey, kQuota, now);
    for (std::uint64_t other = 1; other < 1'000; ++other) limiter.count(other << 50, kQuota, now);
    EXPECT_GT(limiter.count(kKey, kQuota, now).wait, 0ms) << "the busiest key was forgotten";
}

TEST(RateLimiter, AMillionKeysTakeNoMoreRoomThanOne) {
    RateLimiter limiter;
    const auto bytes = limiter.bytes();
    EXPECT_LE(bytes, std::size_t{2} << 20);
    const auto now = std::chrono::steady_clock::now();
    const auto key_of = [](std::uint64_t i) { return i * 0x9e3779b97f4a7c15ULL; };
    for (int i = 0; i < 3; ++i) limiter.count(key_of(0), kQuota, now);
    int refused = 0;
    for (std::uint64_t i = 1; i <= 1'000'000; ++i)
        if (limiter.count(key_of(i), kQuota, now).wait > 0ms) ++refused;
    // Each key came once, so whoever is refused was mistaken for another key.
    EXPECT_LT(refused, 200);
    EXPECT_GT(limiter.count(key_of(0), kQuota, now).wait, 0ms) << "the flood hid the fast one";
    EXPECT_EQ(limiter.bytes(), bytes);
}

TEST(RateLimiter, CountsEachRequestOnceUnderContention) {
    RateLimiter limiter{16};
    const auto now = std::chrono::steady_clock::now();
    const Quota quota = Quota::of(Rate{.per_minute = 1, .burst = 500});
    std::atomic<int> passed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 1'000; ++i)
                if (limiter.count(kKey, quota, now).wait == 0ms) ++passed;
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(passed, 500);
}

}  // namespace
}  // namespace sluice::gate
