#include "app/phone_codes.hpp"

#include <set>

#include <gtest/gtest.h>

#include "support/manual_clock.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using enum CodePurpose;

constexpr auto kPhone = "+8613712345678";

class PhoneCodesTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    PhoneCodes codes{PhoneCodes::Key{1}, clock, random};

    static std::string another(std::string code) {
        code.back() = code.back() == '0' ? '1' : '0';
        return code;
    }
};

TEST_F(PhoneCodesTest, ACodeIsSixDigitsAndCountsOnce) {
    const auto code = codes.issue(registration, kPhone);
    EXPECT_EQ(code.size(), 6u);
    EXPECT_EQ(code.find_first_not_of("0123456789"), code.npos);
    EXPECT_TRUE(codes.redeem(registration, kPhone, code));
    EXPECT_FALSE(codes.redeem(registration, kPhone, code));
    for (int i = 0; i < 9; ++i) codes.redeem(registration, kPhone, another(code));
    EXPECT_FALSE(codes.redeem(registration, kPhone, code));
}

TEST_F(PhoneCodesTest, ACodeIsForOnePhoneAndOnePurpose) {
    const auto code = codes.issue(registration, kPhone);
    EXPECT_FALSE(codes.redeem(password, kPhone, code));
    EXPECT_FALSE(codes.redeem(registration, "+8613712345679", code));
    EXPECT_TRUE(codes.redeem(registration, kPhone, code));
}

TEST_F(PhoneCodesTest, ACodeIsGoodForTenMinutes) {
    const auto code = codes.issue(password, kPhone);
    clock.move(10min);
    EXPECT_FALSE(codes.redeem(password, kPhone, code));
    const auto next = codes.issue(password, kPhone);
    clock.move(10min - 1ms);
    EXPECT_TRUE(codes.redeem(password, kPhone, next));
}

TEST_F(PhoneCodesTest, FiveWrongTriesVoidIt) {
    const auto code = codes.issue(password, kPhone);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(codes.redeem(password, kPhone, another(code)));
    EXPECT_TRUE(codes.redeem(password, kPhone, code));
    const auto next = codes.issue(password, kPhone);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(codes.redeem(password, kPhone, another(next)));
    EXPECT_FALSE(codes.redeem(password, kPhone, next));
}

TEST_F(PhoneCodesTest, ANewCodeTakesThePlaceOfTheOneBefore) {
    const auto first = codes.issue(password, kPhone);
    const auto second = codes.issue(password, kPhone);
    ASSERT_NE(first, second);
    EXPECT_FALSE(codes.redeem(password, kPhone, first));
    EXPECT_TRUE(codes.redeem(password, kPhone, second));
}

TEST_F(PhoneCodesTest, WhatCouldNotBeDoneMayBeTriedAgain) {
    const auto code = codes.issue(password, kPhone);
    EXPECT_TRUE(codes.redeem(password, kPhone, code));
    codes.give_back(password, kPhone, code);
    EXPECT_TRUE(codes.redeem(password, kPhone, code));
    codes.give_back(password, kPhone, code);
    const auto newer = codes.issue(password, kPhone);
    codes.give_back(password, kPhone, code);
    EXPECT_TRUE(codes.redeem(password, kPhone, newer)) << "the newer one stays";
}

TEST_F(PhoneCodesTest, WhatIsGivenBackLivesNoLongerAndHasNoMoreTries) {
    const auto code = codes.issue(password, kPhone);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(codes.redeem(password, kPhone, another(code)));
    clock.move(9min);
    EXPECT_TRUE(codes.redeem(password, kPhone, code));
    codes.give_back(password, kPhone, code);
    clock.move(1min);
    EXPECT_FALSE(codes.redeem(password, kPhone, code)) << "its ten minutes are over";

    const auto next = codes.issue(password, kPhone);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(codes.redeem(password, kPhone, another(next)));
    EXPECT_TRUE(codes.redeem(password, kPhone, next));
    codes.give_back(password, kPhone, next);
    EXPECT_FALSE(codes.redeem(password, kPhone, another(next))) << "the fifth";
    EXPECT_FALSE(codes.redeem(password, kPhone, next));
}

TEST_F(PhoneCodesTest, NothingElseIsACode) {
    const auto code = codes.issue(password, kPhone);
    for (const auto& other : {std::string(), " " + code, code + "0", std::string(1'000'000, '1')})
        EXPECT_FALSE(codes.redeem(password, kPhone, other));
    EXPECT_TRUE(codes.redeem(password, kPhone, code));
}

TEST_F(PhoneCodesTest, CodesAreManyAndFewAreKept) {
    std::set<std::string> seen;
    for (int i = 0; i < 1'000; ++i) seen.insert(codes.issue(password, std::to_string(i)));
    EXPECT_GT(seen.size(), 990u);
    EXPECT_EQ(codes.size(), 1'000u);
    EXPECT_EQ(parse_code_purpose("password"), password);
    EXPECT_EQ(parse_code_purpose("registration"), registration);
    EXPECT_FALSE(parse_code_purpose("login"));
}

}  // namespace
}  // namespace sluice
