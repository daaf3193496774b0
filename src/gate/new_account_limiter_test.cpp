#include "gate/new_account_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class NewAccountLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    NewAccountLimiter limiter{scope, {1, 2, 3}, 60};
    NewAccountLimiter::Instant now = std::chrono::steady_clock::now() + 1h;

    int made(const char* from) {
        const auto address = *Address::parse(from);
        int count = 0;
        while (count < 1'000) {
            const bool free = limiter.look(address, now).count.wait == 0ms;
            EXPECT_EQ(limiter.count(address, now).count.wait == 0ms, free);
            if (!free) break;
            ++count;
        }
        return count;
    }
};

TEST_F(NewAccountLimiterTest, HalfAtOnceAndNoDayHasMore) {
    EXPECT_EQ(made("203.0.113.7"), 30);
    EXPECT_EQ(made("203.0.113.8"), 30) << "another address";
    int day = 30;
    for (int hour = 0; hour < 24; ++hour) {
        now += 1h;
        day += made("203.0.113.7");
    }
    EXPECT_EQ(day, 60);
}

TEST_F(NewAccountLimiterTest, WhereCodesProvePhonesANetworkMakesMore) {
    EXPECT_EQ(NewAccountLimiter::per_day(60, false), 60u);
    NewAccountLimiter proven{scope, {1, 2, 3}, NewAccountLimiter::per_day(60, true)};
    const auto address = *Address::parse("203.0.113.7");
    int count = 0;
    while (proven.count(address, now).count.wait == 0ms) ++count;
    EXPECT_EQ(count, 120);
    EXPECT_EQ(proven.look(address, now).count.wait, 12min);
    EXPECT_EQ(made("203.0.113.7"), 30);
    EXPECT_EQ(limiter.look(address, now).count.wait, 48min);
}

TEST_F(NewAccountLimiterTest, LookingCostsNothing) {
    for (int i = 0; i < 100; ++i) limiter.look(*Address::parse("203.0.113.7"), now);
    EXPECT_EQ(made("203.0.113.7"), 30);
}

TEST_F(NewAccountLimiterTest, AnIpv6CustomerHasOneNetworkAndNotManyHouseholds) {
    EXPECT_EQ(made("2001:db8:0:1::1"), 30);
    EXPECT_EQ(made("2001:db8:0:1::2"), 0) << "the same household";
    int site = 30;
    for (int net = 2; net < 20; ++net)
        site += made(("2001:db8:0:" + std::to_string(net) + "::1").c_str());
    EXPECT_EQ(site, 120);
    EXPECT_EQ(made("2001:db8:1:1::1"), 30) << "another customer";
}

TEST_F(NewAccountLimiterTest, ThisMachineAndExemptNetworksAreNoStrangers) {
    EXPECT_EQ(made("127.0.0.1"), 1'000);
    EXPECT_EQ(made("::1"), 1'000);
    scope.replace(true, {*Network::parse("203.0.113.0/24")});
    EXPECT_EQ(made("203.0.113.7"), 1'000);
    EXPECT_EQ(made("198.51.100.1"), 30);
    scope.replace(false, {});
    EXPECT_EQ(made("198.51.100.1"), 1'000);
}

}  // namespace
}  // namespace sluice::gate
