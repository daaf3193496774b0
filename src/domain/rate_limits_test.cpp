#include "domain/rate_limits.hpp"

#include <set>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(RateSettings, EachStandsForANumberOfItsOwn) {
    RateLimits limits;
    std::set<unsigned*> fields;
    std::set<std::string_view> names;
    for (const auto& setting : kRateSettings) {
        EXPECT_TRUE(fields.insert(&setting.field(limits)).second) << setting.name;
        EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
        EXPECT_EQ(find_rate_setting(setting.name), &setting);
        EXPECT_GE(setting.in(RateLimits{}), setting.least) << setting.name;
        EXPECT_LE(setting.in(RateLimits{}), setting.most) << setting.name;
    }
    EXPECT_EQ(fields.size() * sizeof(unsigned), sizeof(RateLimits)) << "a number without a setting";
    EXPECT_EQ(find_rate_setting("limits.buying"), nullptr);
}

TEST(RateConflicts, ABurstComesBackWithinAnHour) {
    RateLimits limits;
    EXPECT_TRUE(find_rate_conflicts(limits).empty());
    limits.of(RateClass::buying) = {.per_minute = 2, .burst = 120};
    EXPECT_TRUE(find_rate_conflicts(limits).empty());
    limits.of(RateClass::buying).burst = 121;
    const auto conflicts = find_rate_conflicts(limits);
    ASSERT_EQ(conflicts.size(), 1u);
    EXPECT_EQ(conflicts[0].burst, "limits.buying.burst");
    EXPECT_EQ(conflicts[0].rate, "limits.buying.per_minute");
    EXPECT_EQ(conflicts[0].burst_at_most, 120u);
}

}  // namespace
}  // namespace sluice
