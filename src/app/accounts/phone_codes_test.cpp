#include "app/accounts/phone_codes.hpp"

#include <set>

#include <gtest/gtest.h>

#include "app/accounts/local_code_box.hpp"
#include "base/run_to_end.hpp"
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
    LocalCodeBox box{clock};
    PhoneCodes codes{PhoneCodes::Key{1}, box, clock, random};

    static constexpr CodeBearer owner{.name = 1};
    static constexpr CodeBearer stranger{.name = 2};

    std::string issue(CodePurpose purpose, std::string_view phone = kPhone,
                      CodeBearer bearer = owner) {
        return run_to_end(codes.issue(purpose, std::string(phone), bearer));
    }
    bool redeem(CodePurpose purpose, std::string_view code, CodeBearer bearer = owner) {
        return run_to_end(codes.redeem(purpose, kPhone, bearer, std::string(code)));
    }
    static std::string another(std::string code) {
        code.back() = code.back() == '0' ? '1' : '0';
        return code;
    }
};

TEST_F(PhoneCodesTest, ACodeIsSixDigitsAndCountsOnce) {
    const auto code = issue(registration);
    EXPECT_EQ(code.size(), 6u);
    EXPECT_EQ(code.find_first_not_of("0123456789"), code.npos);
    EXPECT_TRUE(redeem(registration, code));
    EXPECT_FALSE(redeem(registration, code));
    for (int i = 0; i < 9; ++i) redeem(registration, another(code));
    EXPECT_FALSE(redeem(registration, code));
}

TEST_F(PhoneCodesTest, ACodeIsForOnePhoneAndOnePurpose) {
    const auto code = issue(registration);
    EXPECT_FALSE(redeem(password, code));
    EXPECT_FALSE(run_to_end(codes.redeem(registration, "+8613712345679", owner, code)));
    EXPECT_TRUE(redeem(registration, code));
}

TEST_F(PhoneCodesTest, ACodeIsGoodForTenMinutes) {
    const auto code = issue(password);
    clock.move(10min);
    EXPECT_FALSE(redeem(password, code));
    const auto next = issue(password);
    clock.move(10min - 1ms);
    EXPECT_TRUE(redeem(password, next));
}

TEST_F(PhoneCodesTest, AfterFiveWrongTriesItIsOfNoUse) {
    const auto code = issue(password);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(redeem(password, another(code)));
    EXPECT_TRUE(redeem(password, code));
    const auto next = issue(password);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(redeem(password, another(next)));
    EXPECT_FALSE(redeem(password, next));
    const auto last = issue(password);
    ASSERT_NE(last, next);
    EXPECT_TRUE(redeem(password, last)) << "whoever has used up theirs gets another code";
}

TEST_F(PhoneCodesTest, StrangersCannotUseUpTheTriesOfWhoeverAsked) {
    const auto code = issue(password);
    for (std::uint64_t i = 10; i < 100; ++i)
        for (int tries = 0; tries < 9; ++tries) redeem(password, another(code), {.name = i});
    EXPECT_FALSE(redeem(password, code, stranger)) << "all of them together have five";
    EXPECT_TRUE(redeem(password, code));
}

TEST_F(PhoneCodesTest, FewHaveTriesOfTheirOwn) {
    const auto code = issue(password);
    int guesses = 0;
    for (std::uint64_t i = 10; i < 100; ++i) {
        run_to_end(codes.expect(password, kPhone, {.name = i}));
        run_to_end(codes.expect(password, kPhone, {.name = i, .is_device = true}));
    }
    for (std::uint64_t i = 1; i < 100; ++i)
        for (const bool is_device : {false, true})
            for (int tries = 0; tries < 5; ++tries) {
                redeem(password, another(code), {.name = i, .is_device = is_device});
                guesses += redeem(password, code, {.name = i, .is_device = is_device});
                if (guesses > 0) run_to_end(codes.give_back(password, kPhone, code));
            }
    EXPECT_EQ(guesses, 4 * 6) << "three networks, two devices, and one for all others";
}

TEST_F(PhoneCodesTest, WhoeverAsksAgainGetsTheSameCodeForAWhile) {
    const auto first = issue(password);
    clock.move(9min);
    EXPECT_EQ(issue(password, kPhone, stranger), first) << "what the owner reads still counts";
    clock.move(9min);
    EXPECT_EQ(issue(password), first);
    clock.move(2min);
    const auto second = issue(password, kPhone, stranger);
    ASSERT_NE(first, second);
    EXPECT_FALSE(redeem(password, first));
    EXPECT_TRUE(redeem(password, second)) << "also if a stranger has asked for it";
}

TEST_F(PhoneCodesTest, WhatCouldNotBeDoneMayBeTriedAgain) {
    const auto code = issue(password);
    EXPECT_TRUE(redeem(password, code));
    run_to_end(codes.give_back(password, kPhone, code));
    EXPECT_TRUE(redeem(password, code));
    run_to_end(codes.give_back(password, kPhone, code));
    EXPECT_TRUE(redeem(password, code));
    const auto newer = issue(password);
    run_to_end(codes.give_back(password, kPhone, code));
    EXPECT_TRUE(redeem(password, newer)) << "the newer one stays";
}

TEST_F(PhoneCodesTest, WhatIsGivenBackLivesNoLongerAndHasNoMoreTries) {
    const auto code = issue(password);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(redeem(password, another(code)));
    clock.move(9min);
    EXPECT_TRUE(redeem(password, code));
    run_to_end(codes.give_back(password, kPhone, code));
    clock.move(1min);
    EXPECT_FALSE(redeem(password, code)) << "its ten minutes are over";

    const auto next = issue(password);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(redeem(password, another(next)));
    EXPECT_TRUE(redeem(password, next));
    run_to_end(codes.give_back(password, kPhone, next));
    EXPECT_FALSE(redeem(password, another(next))) << "the fifth";
    EXPECT_FALSE(redeem(password, next));
}

TEST_F(PhoneCodesTest, NothingElseIsACode) {
    const auto code = issue(password);
    for (const auto& other : {std::string(), " " + code, code + "0", std::string(1'000'000, '1')})
        EXPECT_FALSE(redeem(password, other));
    EXPECT_TRUE(redeem(password, code));
}

TEST_F(PhoneCodesTest, CodesAreManyAndFewAreKept) {
    std::set<std::string> seen;
    for (int i = 0; i < 1'000; ++i) seen.insert(issue(password, std::to_string(i)));
    EXPECT_GT(seen.size(), 990u);
    EXPECT_EQ(box.size(), 1'000u);
    EXPECT_EQ(parse_code_purpose("password"), password);
    EXPECT_EQ(parse_code_purpose("registration"), registration);
    EXPECT_FALSE(parse_code_purpose("login"));
}

}  // namespace
}  // namespace sluice
