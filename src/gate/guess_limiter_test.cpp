#include "gate/guess_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;
using Guesser = GuessLimiter::Guesser;

class GuessLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    GuessLimiter limiter{scope, {1, 2, 3}};
    GuessLimiter::Instant now = std::chrono::steady_clock::now() + 1h;

    static Guesser who(std::int64_t buyer, std::string_view address = "198.51.100.7",
                       std::int64_t sale = 5) {
        return {UserId{buyer}, SaleId{sale}, Address::parse(address).value()};
    }
    auto wait(const Guesser& guesser) { return limiter.look(guesser, now).count.wait; }
    int guesses(const Guesser& guesser) {
        int count = 0;
        for (; count < 1'000 && wait(guesser) == 0ms; ++count) limiter.note_wrong(guesser, now);
        return count;
    }
    /// From as many accounts as needed.
    int guesses_from(std::string_view address, std::int64_t sale = 5) {
        int count = 0;
        for (std::int64_t buyer = 100; buyer < 200; ++buyer)
            count += guesses(who(buyer, address, sale));
        return count;
    }
};

TEST_F(GuessLimiterTest, AllowsThreeMistakesAndThenTwoAMinute) {
    EXPECT_EQ(guesses(who(1)), 3);
    EXPECT_EQ(wait(who(1)), 30s);
    EXPECT_EQ(wait(who(1, "203.0.113.9")), 30s) << "from elsewhere too";
    EXPECT_EQ(wait(who(1, "198.51.100.7", 6)), 30s) << "and in another sale";
    EXPECT_EQ(wait(who(2)), 0ms) << "nobody else";
    now += 30s;
    EXPECT_EQ(guesses(who(1)), 1);
    EXPECT_EQ(wait(who(1)), 30s);
}

TEST_F(GuessLimiterTest, AHundredAccountsOfOneAddressShareItsMistakesInASale) {
    EXPECT_EQ(guesses_from("198.51.100.7"), 60 + 80 * 2) << "twenty use it up, the others have two";
    EXPECT_EQ(wait(who(100, "198.51.100.7", 6)), 30s);
    EXPECT_EQ(wait(who(150)), 5s);
    EXPECT_EQ(limiter.look(who(150), now).policy, "answer_address");
    EXPECT_EQ(wait(who(150, "198.51.100.7", 6)), 0ms) << "another sale has its own count";
    EXPECT_EQ(wait(who(150, "198.51.100.8")), 0ms) << "and so has another address";
    now += 5s;
    EXPECT_EQ(guesses(who(150)), 1);
}

TEST_F(GuessLimiterTest, NeighboursOfGuessersMayAnswerAndMayBeWrongOnce) {
    guesses_from("198.51.100.7");
    EXPECT_EQ(wait(who(1)), 0ms);
    limiter.note_wrong(who(1), now);
    EXPECT_EQ(wait(who(1)), 0ms);
    limiter.note_wrong(who(1), now);
    EXPECT_EQ(wait(who(1)), 5s) << "who is wrong twice waits with them";
    now += 30s;
    EXPECT_EQ(wait(who(1)), 0ms);
}

TEST_F(GuessLimiterTest, EachSolverGivesTheirAddressAMistakeBack) {
    guesses_from("198.51.100.7");
    ASSERT_EQ(wait(who(150)), 5s);
    limiter.note_right(who(1), now);
    EXPECT_EQ(wait(who(150)), 0ms);
    limiter.note_wrong(who(151), now);
    EXPECT_EQ(wait(who(150)), 5s);
    limiter.note_right(who(1), now);
    EXPECT_EQ(wait(who(150)), 5s) << "once for each account and sale";
    limiter.note_right(who(2), now);
    EXPECT_EQ(wait(who(150)), 0ms);
}

TEST_F(GuessLimiterTest, AHouseholdOfIpv6IsOneAddress) {
    EXPECT_EQ(guesses_from("2001:db8:1:2::1"), 60 + 80 * 2);
    EXPECT_EQ(wait(who(150, "2001:db8:1:2:ffff::9")), 5s);
    EXPECT_EQ(wait(who(150, "2001:db8:1:3::1")), 0ms);
}

TEST_F(GuessLimiterTest, ManyHouseholdsOfOneSiteShareAWiderCount) {
    for (std::int64_t i = 100; i < 200; ++i)
        guesses(who(i, "2001:db8:1:" + std::to_string(i % 25) + "::1"));
    for (int i = 0; i < 2; ++i) limiter.note_wrong(who(90, "2001:db8:9:1::1"), now);
    EXPECT_GT(wait(who(90, "2001:db8:1:ff::1")), 0ms) << "eighty accounts used it up";
    EXPECT_EQ(wait(who(90, "2001:db8:2:1::1")), 0ms) << "another site";
    EXPECT_EQ(wait(who(91, "2001:db8:1:ff::1")), 0ms) << "who has not been wrong";
}

TEST_F(GuessLimiterTest, AnExemptAddressCountsByAccountAlone) {
    scope.replace(true, {Network::parse("198.51.100.0/24").value()});
    EXPECT_EQ(guesses_from("198.51.100.7"), 300);
    EXPECT_EQ(wait(who(100)), 30s);
}

TEST_F(GuessLimiterTest, LookingCountsNothing) {
    for (int i = 0; i < 100; ++i) EXPECT_EQ(wait(who(1)), 0ms);
    EXPECT_EQ(guesses(who(1)), 3);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(wait(who(1)), 30s);
}

TEST_F(GuessLimiterTest, FourPicturesAtOnceAndThenOneInTenSeconds) {
    const auto pictures = [this](std::int64_t buyer) {
        int count = 0;
        while (count < 1'000 && limiter.count_picture(UserId{buyer}, now).count.wait == 0ms)
            ++count;
        return count;
    };
    EXPECT_EQ(pictures(1), 4);
    EXPECT_EQ(limiter.look_picture(UserId{1}, now).count.wait, 10s);
    EXPECT_EQ(limiter.look_picture(UserId{1}, now).policy, "picture");
    EXPECT_EQ(limiter.look_picture(UserId{2}, now).count.wait, 0ms) << "nobody else";
    EXPECT_EQ(wait(who(1)), 0ms) << "the last one may be answered";
    now += 10s;
    EXPECT_EQ(pictures(1), 1);
    limiter.note_right(who(1), now);
    EXPECT_EQ(pictures(1), 1) << "one that was solved does not count";
    limiter.give_picture_back(UserId{1});
    EXPECT_EQ(pictures(1), 1);
    scope.replace(false, {});
    EXPECT_EQ(pictures(1), 1'000);
}

TEST_F(GuessLimiterTest, CanBeTurnedOff) {
    scope.replace(false, {});
    EXPECT_EQ(guesses(who(1)), 1'000);
}

}  // namespace
}  // namespace sluice::gate
