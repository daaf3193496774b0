#include "observe/duration_metric.hpp"

#include <algorithm>

#include <prometheus/metric_family.h>

namespace sluice {
namespace {

constexpr std::array<double, DurationMetric::kBounds> kBoundSeconds{
    0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10};
static_assert(std::ranges::is_sorted(kBoundSeconds));

}  // namespace

void DurationMetric::record(std::chrono::nanoseconds took) noexcept {
    const double seconds = std::chrono::duration<double>(took).count();
    const auto bound = std::ranges::lower_bound(kBoundSeconds, seconds);
    auto& counter = by_bound_[static_cast<std::size_t>(bound - kBoundSeconds.begin())];
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    seconds_.store(seconds_.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
}

std::vector<prometheus::MetricFamily> DurationMetric::Collect() const {
    std::vector<prometheus::MetricFamily> families(1);
    auto& family = families.front();
    family.name = name_;
    family.help = help_;
    family.type = prometheus::MetricType::Histogram;
    auto& histogram = family.metric.emplace_back().histogram;
    for (std::size_t i = 0; i < by_bound_.size(); ++i) {
        histogram.sample_count += by_bound_[i].load(std::memory_order_relaxed);
        if (i < kBounds) histogram.bucket.push_back({histogram.sample_count, kBoundSeconds[i]});
    }
    histogram.sample_sum = seconds_.load(std::memory_order_relaxed);
    return families;
}

}  // namespace sluice
