#include "gate/code_limiter.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class CodeLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    CodeLimiter limiter{scope, {1, 2, 3}, 1'000};
    CodeLimiter::Instant now = std::chrono::steady_clock::now() + 1h;

    bool gets_one(std::string_view phone, const char* from) {
        return limiter.count(phone, *Address::parse(from), now).count.wait == 0ms;
    }
    /// To phones that nobody else asks for.
    int to_new_phones(const char* from, int wanted) {
        int got = 0;
        for (int i = 0; i < wanted; ++i) got += gets_one("new" + std::to_string(next_++), from);
        return got;
    }

  private:
    int next_ = 0;
};

TEST_F(CodeLimiterTest, OnePhoneRingsOnceAMinuteAndEightTimesADay) {
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
    EXPECT_FALSE(gets_one("137", "203.0.113.8")) << "from wherever it is asked for";
    now += 1min - 1ms;
    EXPECT_FALSE(gets_one("137", "203.0.113.7"));
    now += 1ms;
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
    int got = 2;
    for (int i = 0; i < 30; ++i) {
        now += 1min;
        got += gets_one("137", ("203.0.113." + std::to_string(i)).c_str());
    }
    EXPECT_EQ(got, 8);
    const auto wait = limiter.count("137", *Address::parse("203.0.113.7"), now).count.wait;
    EXPECT_GT(wait, 23h);
    EXPECT_TRUE(gets_one("138", "203.0.113.7"));
    now += wait;
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
}

TEST_F(CodeLimiterTest, OneNetworkGetsAHundredADay) {
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 100);
    EXPECT_EQ(to_new_phones("203.0.113.8", 5), 5);
    int site = 0;
    for (int net = 0; net < 10; ++net)
        site += to_new_phones(("2001:db8:0:" + std::to_string(net) + "::1").c_str(), 100);
    EXPECT_EQ(site, 400);
}

TEST_F(CodeLimiterTest, AllTogetherGetNoMoreThanADayAllows) {
    int got = 0;
    for (int i = 0; i < 40; ++i)
        got += to_new_phones(("203.0.113." + std::to_string(i)).c_str(), 50);
    EXPECT_EQ(got, 1'000);
    now += 24h;
    EXPECT_EQ(to_new_phones("203.0.113.7", 5), 5);
}

TEST_F(CodeLimiterTest, ExemptNetworksAreNotCountedByAddressButPhonesAre) {
    scope.replace(true, {*Network::parse("203.0.113.0/24")});
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 300);
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
    EXPECT_FALSE(gets_one("137", "203.0.113.7"));
    scope.replace(false, {});
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
}

}  // namespace
}  // namespace sluice::gate
