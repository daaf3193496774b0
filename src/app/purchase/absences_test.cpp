#include "app/purchase/absences.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

class AbsencesTest : public testing::Test {
  protected:
    Absences absences{{1}};
    // At the beginning of a minute.
    const Absences::Instant now{1'000'000min};
};

TEST_F(AbsencesTest, RemembersForAMinuteOrTwo) {
    EXPECT_FALSE(absences.contains({1, "7"}, now));
    absences.note({1, "7"}, now);
    EXPECT_TRUE(absences.contains({1, "7"}, now));
    EXPECT_TRUE(absences.contains({1, "7"}, now + 119s));
    EXPECT_FALSE(absences.contains({1, "7"}, now + 120s));
}

TEST_F(AbsencesTest, WhatIsNotThereForOneMayBeForAnother) {
    absences.note({1, "7"}, now);
    EXPECT_FALSE(absences.contains({2, "7"}, now));
    EXPECT_FALSE(absences.contains({1, "8"}, now));
    EXPECT_FALSE(absences.contains({1, ""}, now));
}

TEST_F(AbsencesTest, AnotherEditionIsAnotherQuestion) {
    absences.note({1, "7", 3}, now);
    EXPECT_TRUE(absences.contains({1, "7", 3}, now));
    EXPECT_FALSE(absences.contains({1, "7", 4}, now));
    EXPECT_FALSE(absences.contains({1, "7"}, now));
}

TEST_F(AbsencesTest, AnEmptyTableKnowsNothingInAnyMinute) {
    for (int minute = 0; minute < 200'000; minute += 7)
        EXPECT_FALSE(absences.contains({1, "7"}, now + std::chrono::minutes{minute}));
}

TEST_F(AbsencesTest, AMillionAbsencesForgetSomeAndInventNone) {
    const auto name = [](int i) { return std::to_string(i); };
    for (int i = 0; i < 1'000'000; ++i) absences.note({1, name(i)}, now);
    int known = 0, invented = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        if (absences.contains({1, name(i)}, now)) ++known;
        if (absences.contains({2, name(i)}, now)) ++invented;
    }
    EXPECT_GT(known, 200'000);
    EXPECT_EQ(invented, 0);
}

}  // namespace
}  // namespace sluice
