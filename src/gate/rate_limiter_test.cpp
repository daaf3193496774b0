#include "gate/rate_limiter.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kKey = 0x123456789abcdef0;
constexpr http::Rate kRate{.per_minute = 60, .burst = 3};

TEST(RateLimiter, LetsABurstThroughAndThenTheSteadyRate) {
    RateLimiter limiter{16};
    const auto now = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.wait_for(kKey, kRate, now), 0ms);
    EXPECT_EQ(limiter.wait_for(kKey, kRate, now), 1s);
    EXPECT_EQ(limiter.wait_for(kKey, kRate, now + 999ms), 1ms);
    EXPECT_EQ(limiter.wait_for(kKey, kRate, now + 1s), 0ms);
    EXPECT_EQ(limiter.wait_for(kKey, kRate, now + 1s), 1s);
}

TEST(RateLimiter, AForgottenKeyStartsAnewAndNoOther) {
    RateLimiter limiter{16};
    const auto now = std::chrono::steady_clock::now();
    const auto other = kKey ^ (std::uint64_t{1} << 60);
    for (int i = 0; i < 3; ++i) {
        limiter.wait_for(kKey, kRate, now);
        limiter.wait_for(other, kRate, now);
    }
    limiter.forget(kKey);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.wait_for(kKey, kRate, now), 0ms);
    EXPECT_EQ(limiter.wait_for(other, kRate, now), 1s);
}

TEST(RateLimiter, ARefusalCostsNothingMore) {
    RateLimiter limiter{16};
    const auto now = std::chrono::steady_clock::now();
    for (int i = 0; i < 100; ++i) limiter.wait_for(kKey, kRate, now);
    EXPECT_EQ(limiter.wait_for(kKey, kRate, now + 3s), 0ms);
}

TEST(RateLimiter, KeysDoNotShare) {
    RateLimiter limiter{16};
    const auto now = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i) limiter.wait_for(kKey, kRate, now);
    EXPECT_EQ(limiter.wait_for(kKey ^ (std::uint64_t{1} << 60), kRate, now), 0ms);
}

TEST(RateLimiter, AFloodOfKeysForgetsTheIdleFirst) {
    RateLimiter limiter{1};
    const auto now = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) limiter.wait_for(kKey, kRate, now);
    for (std::uint64_t other = 1; other < 1'000; ++other) limiter.wait_for(other << 50, kRate, now);
    EXPECT_GT(limiter.wait_for(kKey, kRate, now), 0ms) << "the busiest key was forgotten";
}

TEST(RateLimiter, CountsEachRequestOnceUnderContention) {
    RateLimiter limiter{16};
    const auto now = std::chrono::steady_clock::now();
    std::atomic<int> passed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 1'000; ++i)
                if (limiter.wait_for(kKey, {.per_minute = 1, .burst = 500}, now) == 0ms) ++passed;
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(passed, 500);
}

}  // namespace
}  // namespace sluice::gate
