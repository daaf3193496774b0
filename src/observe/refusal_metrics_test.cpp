#include "observe/refusal_metrics.hpp"

#include <map>

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>

namespace sluice {
namespace {

using Shown = std::map<std::pair<std::string, std::string>, double>;

Shown shown(const RefusalMetrics& metrics) {
    Shown result;
    for (const auto& family : metrics.Collect())
        for (const auto& metric : family.metric)
            result[{metric.label.at(0).value, metric.label.at(1).value}] = metric.counter.value;
    return result;
}

TEST(RefusalMetrics, AddsTheThreadsUp) {
    RefusalMetrics metrics({"buy", "none"}, {"sold_out", "busy"}, 2);
    EXPECT_EQ(shown(metrics), Shown{});
    metrics.record(0, 0, 0);
    metrics.record(1, 0, 0);
    metrics.record(1, 1, 1);
    EXPECT_EQ(shown(metrics), (Shown{{{"buy", "sold_out"}, 2}, {{"none", "busy"}, 1}}));
}

TEST(RefusalMetrics, CodesOfOneNameAreOne) {
    RefusalMetrics metrics({"buy"}, {"too_large", "ended", "too_large"}, 1);
    metrics.record(0, 0, 0);
    metrics.record(0, 0, 2);
    metrics.record(0, 0, 1);
    EXPECT_EQ(shown(metrics), (Shown{{{"buy", "too_large"}, 2}, {{"buy", "ended"}, 1}}));
}

}  // namespace
}  // namespace sluice
