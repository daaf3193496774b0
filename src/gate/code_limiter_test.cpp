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

    CodeLimiter::Verdict ask(std::string_view phone, const std::string& from,
                             CodeBearer bearer = {}) {
        return limiter.count({.phone = phone, .client = *Address::parse(from), .bearer = bearer},
                             now);
    }
    static CodeBearer device(std::uint64_t name) { return {.name = name, .is_device = true}; }
    /// A message to this phone.
    bool gets_one(std::string_view phone, const std::string& from, CodeBearer bearer = {}) {
        const auto verdict = ask(phone, from, bearer);
        return verdict.headroom.count.wait == 0ms && !verdict.repeats;
    }
    /// To phones that nobody else asks for.
    int to_new_phones(const std::string& from, int wanted) {
        int got = 0;
        for (int i = 0; i < wanted; ++i) got += gets_one("new" + std::to_string(next_++), from);
        return got;
    }

  private:
    int next_ = 0;
};

TEST_F(CodeLimiterTest, OneNetworkMakesAPhoneRingOnceAMinuteAndFourTimesADay) {
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
    now += 1min - 1ms;
    EXPECT_GT(ask("137", "203.0.113.7").headroom.count.wait, 0ms);
    now += 1ms;
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
    int got = 2;
    for (int i = 0; i < 30; ++i) {
        now += 1min;
        got += gets_one("137", "203.0.113.7");
    }
    EXPECT_EQ(got, 4);
    const auto wait = ask("137", "203.0.113.7").headroom.count.wait;
    EXPECT_GT(wait, 5h);
    EXPECT_LT(wait, 6h) << "one after the other, and not none until the day is over";
    EXPECT_TRUE(gets_one("138", "203.0.113.7"));
    EXPECT_TRUE(gets_one("137", "203.0.113.8")) << "whoever lives elsewhere gets theirs";
    now += wait;
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
}

TEST_F(CodeLimiterTest, AsManyNetworksAsThereAreMakeItRingTenTimesAndThenNowAndThen) {
    int got = 0;
    for (int i = 0; i < 200; ++i) {
        now += 20s;
        got += gets_one("137", "203.0.113." + std::to_string(i));
    }
    EXPECT_EQ(got, 10);
    for (int i = 0; i < 24 * 60; ++i) {
        now += 1min;
        got += gets_one("137", "198.51." + std::to_string(i % 250) + ".1");
    }
    EXPECT_LE(got, 10 + 21);
    EXPECT_GE(got, 10 + 19) << "so the owner gets one, whoever asks for it";
}

TEST_F(CodeLimiterTest, ASiteOfIpv6IsOneNetwork) {
    int got = 0;
    for (int i = 0; i < 20; ++i) {
        now += 1min;
        got += gets_one("137", "2001:db8:0:" + std::to_string(i) + "::1");
    }
    EXPECT_EQ(got, 4);
}

TEST_F(CodeLimiterTest, WhoeverAsksRightAfterAStrangerHearsThatAMessageWasSent) {
    EXPECT_TRUE(gets_one("137", "203.0.113.7"));
    const auto owner = ask("137", "198.51.100.1");
    EXPECT_TRUE(owner.repeats);
    EXPECT_EQ(owner.headroom.count.wait, 0ms);
    EXPECT_GT(ask("137", "198.51.100.1").headroom.count.wait, 0ms) << "once a minute";
    const CodeLimiter::Ask other{.phone = "137",
                                 .purpose = CodePurpose::password,
                                 .client = *Address::parse("198.51.100.1"),
                                 .bearer = {}};
    EXPECT_FALSE(limiter.count(other, now).repeats) << "no message of that kind has been sent";
}

TEST_F(CodeLimiterTest, ADeviceThatIsKnownIsCountedByItself) {
    for (int i = 0; i < 200; ++i) {
        now += 20s;
        gets_one("137", "203.0.113." + std::to_string(i));
    }
    ASSERT_FALSE(gets_one("137", "198.51.100.1"));
    EXPECT_TRUE(gets_one("137", "203.0.113.199", device(1)));
    EXPECT_FALSE(gets_one("137", "203.0.113.199", device(1))) << "once a minute";
    int got = 1;
    for (std::uint64_t name = 1; name < 40; ++name)
        for (int i = 0; i < 3; ++i) {
            now += 20s;
            got += gets_one("137", "203.0.113.199", device(name));
        }
    EXPECT_GE(got, 8) << "all devices of a phone";
    EXPECT_LE(got, 9) << "and what strangers get in these forty minutes";
}

TEST_F(CodeLimiterTest, DevicesThatHaveUsedUpTheirsGetWhatStrangersGet) {
    int got = 0;
    for (int i = 0; i < 30; ++i) {
        now += 1min;
        got += gets_one("137", "203.0.113.7", device(1));
    }
    EXPECT_EQ(got, 4 + 4);
}

TEST_F(CodeLimiterTest, OneNetworkGetsAHundredAtOnceAndThenOneInAQuarterOfAnHour) {
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 100);
    EXPECT_EQ(ask("137", "203.0.113.7").headroom.count.wait, 864s);
    now += 864s;
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 1);
    now += 864s * 3;
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 3);
    EXPECT_EQ(to_new_phones("203.0.113.8", 5), 5);
    int site = 0;
    for (int net = 0; net < 10; ++net)
        site += to_new_phones("2001:db8:0:" + std::to_string(net) + "::1", 100);
    EXPECT_EQ(site, 400);
}

TEST_F(CodeLimiterTest, ANeighbourWhoAsksForOthersPasswordsKeepsNobodyFromRegistering) {
    int asked = 0;
    for (int i = 0; i < 300; ++i) {
        const auto phone = "made up " + std::to_string(i);
        const CodeLimiter::Ask other{.phone = phone,
                                     .purpose = CodePurpose::password,
                                     .client = *Address::parse("203.0.113.7"),
                                     .bearer = {}};
        asked += limiter.count(other, now).headroom.count.wait == 0ms;
    }
    EXPECT_EQ(asked, 100);
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 100);
}

TEST_F(CodeLimiterTest, AllTogetherGetNoMoreMessagesThanADayAllows) {
    for (int i = 0; i < 999; ++i) limiter.note_sent(now);
    EXPECT_EQ(to_new_phones("203.0.113.7", 50), 50) << "what is not sent does not count";
    limiter.note_sent(now);
    EXPECT_EQ(to_new_phones("203.0.113.8", 5), 0);
    EXPECT_FALSE(gets_one("137", "203.0.113.9", device(1)));
    const auto wait = ask("137", "203.0.113.9").headroom.count.wait;
    EXPECT_EQ(wait, 24h);
    now += wait;
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

TEST_F(CodeLimiterTest, TheDaysMessagesAreBoundedWhereLimitsAreSwitchedOffToo) {
    scope.replace(false, {});
    EXPECT_EQ(to_new_phones("203.0.113.7", 300), 300);
    for (int i = 0; i < 1'000; ++i) limiter.note_sent(now);
    EXPECT_EQ(to_new_phones("203.0.113.8", 5), 0);
    EXPECT_FALSE(gets_one("137", "203.0.113.9", device(1)));
}

}  // namespace
}  // namespace sluice::gate
