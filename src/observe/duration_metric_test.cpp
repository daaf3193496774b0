#include "observe/duration_metric.hpp"

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

TEST(DurationMetric, CountsUpToEachBound) {
    DurationMetric metric("x_seconds", "How long.");
    for (std::chrono::nanoseconds took : {0ns, 100'000ns, 100'001ns, 60'000'000'000ns})
        metric.record(took);
    const auto families = metric.Collect();
    ASSERT_EQ(families.size(), 1u);
    EXPECT_EQ(families[0].name, "x_seconds");
    const auto& histogram = families[0].metric.at(0).histogram;
    EXPECT_EQ(histogram.sample_count, 4u);
    EXPECT_DOUBLE_EQ(histogram.sample_sum, 60.000200001);
    EXPECT_EQ(histogram.bucket.at(0).cumulative_count, 2u);
    EXPECT_EQ(histogram.bucket.at(1).cumulative_count, 3u);
    EXPECT_EQ(histogram.bucket.back().cumulative_count, 3u);
}

}  // namespace
}  // namespace sluice
