#include "observe/request_metrics.hpp"

#include <algorithm>

#include <prometheus/metric_family.h>

#include "base/check.hpp"

namespace sluice {
namespace {

// A refusal takes microseconds, a purchase milliseconds, a stuck disk seconds.
constexpr std::array<std::uint64_t, RequestMetrics::kBounds> kBoundNanoseconds{
    10'000,      25'000,      50'000,        100'000,      250'000,    500'000,
    1'000'000,   2'500'000,   5'000'000,     10'000'000,   25'000'000, 50'000'000,
    100'000'000, 250'000'000, 1'000'000'000, 5'000'000'000};
static_assert(std::ranges::is_sorted(kBoundNanoseconds));

/// For a counter that only one thread writes: as good as an atomic addition, and cheaper.
void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace

RequestMetrics::RequestMetrics(std::vector<std::string> routes, unsigned threads)
    : routes_(std::move(routes)) {
    lines_.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) lines_.emplace_back(routes_.size());
}

void RequestMetrics::record(unsigned thread, std::size_t route, int status,
                            std::chrono::nanoseconds took) noexcept {
    CHECK(thread < lines_.size() && route < routes_.size(), "each thread and route has a line");
    CHECK(status >= 100 && status <= 599, "HTTP has no other status");
    Line& line = lines_[thread][route];
    const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(0, took.count()));
    const auto bound = std::ranges::lower_bound(kBoundNanoseconds, nanoseconds);
    add(line.by_class[static_cast<std::size_t>(status / 100 - 1)], 1);
    add(line.by_bound[static_cast<std::size_t>(bound - kBoundNanoseconds.begin())], 1);
    add(line.total_nanoseconds, nanoseconds);
}

RequestMetrics::Sum RequestMetrics::sum_of(std::size_t route) const {
    Sum sum;
    for (const auto& of_thread : lines_) {
        const Line& line = of_thread[route];
        for (std::size_t i = 0; i < line.by_class.size(); ++i)
            sum.by_class[i] += line.by_class[i].load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < line.by_bound.size(); ++i)
            sum.by_bound[i] += line.by_bound[i].load(std::memory_order_relaxed);
        sum.seconds +=
            static_cast<double>(line.total_nanoseconds.load(std::memory_order_relaxed)) / 1e9;
    }
    return sum;
}

std::vector<prometheus::MetricFamily> RequestMetrics::Collect() const {
    std::vector<prometheus::MetricFamily> families(2);
    auto& requests = families[0];
    requests.name = "sluice_http_requests_total";
    requests.help = "Requests answered, by route and class of status.";
    requests.type = prometheus::MetricType::Counter;
    auto& seconds = families[1];
    seconds.name = "sluice_http_request_seconds";
    seconds.help = "From the request's last byte to its answer.";
    seconds.type = prometheus::MetricType::Histogram;

    for (std::size_t route = 0; route < routes_.size(); ++route) {
        const Sum sum = sum_of(route);
        for (std::size_t i = 0; i < sum.by_class.size(); ++i) {
            auto& metric = requests.metric.emplace_back();
            metric.label = {{"route", routes_[route]}, {"status", std::to_string(i + 1) + "xx"}};
            metric.counter.value = static_cast<double>(sum.by_class[i]);
        }
        auto& metric = seconds.metric.emplace_back();
        metric.label = {{"route", routes_[route]}};
        auto& histogram = metric.histogram;
        for (std::size_t i = 0; i < sum.by_bound.size(); ++i) {
            histogram.sample_count += sum.by_bound[i];
            if (i < kBounds)
                histogram.bucket.push_back(
                    {histogram.sample_count, static_cast<double>(kBoundNanoseconds[i]) / 1e9});
        }
        histogram.sample_sum = sum.seconds;
    }
    return families;
}

}  // namespace sluice
