#include "domain/complaint.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Complaint, IsASentenceInBothLanguages) {
    const Complaint complaint(Rule::from_to, 1, std::int64_t{100});
    EXPECT_EQ(text_of(complaint), "must be from 1 to 100");
    EXPECT_EQ(text_of(complaint, Language::zh), "必须在 1 到 100 之间");
    EXPECT_EQ(text_of(Complaint(Rule::one_of, "a, b"), Language::zh), "必须是以下之一：a, b");
    EXPECT_EQ(text_of(Complaint(Rule::missing)), "is missing");
}

TEST(Complaint, AnArgumentIsNeverReadAsAGap) {
    EXPECT_EQ(text_of(Complaint(Rule::burst_too_large, "{}", 5)),
              "must be at most an hour of {}, which is 5");
}

TEST(Complaint, WithoutItsArgumentsIsABug) {
    EXPECT_DEATH(text_of(Complaint(Rule::at_least)), "every gap has its argument");
    EXPECT_DEATH(text_of(Complaint(Rule::missing, 1)), "a gap for each argument");
}

}  // namespace
}  // namespace sluice
