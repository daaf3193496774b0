#include "gate/log_in_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class LogInLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    LogInLimiter limiter{scope, {1, 2, 3}};
    LogInLimiter::Instant now = std::chrono::steady_clock::now() + 1h;
    const Address here = *Address::parse("203.0.113.7");

    auto try_it(std::string_view phone, const Address& from) {
        return limiter.count(phone, from, now).count.wait;
    }
    int tries(std::string_view phone, const Address& from) {
        int count = 0;
        while (count < 1'000 && try_it(phone, from) == 0ms) ++count;
        return count;
    }
};

TEST_F(LogInLimiterTest, AllowsTenMistakesAndThenTwoAMinute) {
    EXPECT_EQ(tries("13800000001", here), 10);
    EXPECT_EQ(try_it("13800000001", here), 30s);
    now += 30s - 1ms;
    EXPECT_EQ(try_it("13800000001", here), 1ms);
    now += 1ms;
    EXPECT_EQ(try_it("13800000001", here), 0ms);
    EXPECT_EQ(try_it("13800000001", here), 30s);
}

TEST_F(LogInLimiterTest, ARivalElsewhereLocksOutOnlyThemselves) {
    EXPECT_EQ(tries("13800000001", *Address::parse("198.51.100.1")), 10);
    EXPECT_EQ(try_it("13800000001", here), 0ms);
    EXPECT_EQ(try_it("13800000002", *Address::parse("198.51.100.1")), 0ms);
}

TEST_F(LogInLimiterTest, AHouseholdIsOneAddress) {
    EXPECT_EQ(tries("13800000001", *Address::parse("2001:db8::1")), 10);
    EXPECT_GT(try_it("13800000001", *Address::parse("2001:db8::2")), 0ms);
    EXPECT_EQ(try_it("13800000001", *Address::parse("2001:db8:0:1::1")), 0ms);
}

TEST_F(LogInLimiterTest, ALogInForgivesWhatWentBefore) {
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < 9; ++k) EXPECT_EQ(try_it("13800000001", here), 0ms);
        EXPECT_EQ(try_it("13800000001", here), 0ms);
        limiter.forgive("13800000001", here);
    }
    EXPECT_EQ(tries("13800000001", here), 10);
}

TEST_F(LogInLimiterTest, CanBeTurnedOffAndLeavesExemptNetworksAlone) {
    scope.replace(true, {*Network::parse("10.0.0.0/8")});
    EXPECT_EQ(tries("13800000001", *Address::parse("10.1.2.3")), 1'000);
    EXPECT_EQ(tries("13800000001", here), 10);
    scope.replace(false, {});
    EXPECT_EQ(tries("13800000001", here), 1'000);
}

}  // namespace
}  // namespace sluice::gate
