#include "observe/refusal_metrics.hpp"

#include <algorithm>

#include <prometheus/metric_family.h>

#include "base/check.hpp"

namespace sluice {

RefusalMetrics::RefusalMetrics(std::vector<std::string> routes,
                               const std::vector<std::string>& codes, unsigned threads)
    : routes_(std::move(routes)) {
    for (const auto& code : codes) {
        const auto at = std::ranges::find(names_, code);
        name_of_.push_back(static_cast<std::size_t>(at - names_.begin()));
        if (at == names_.end()) names_.push_back(code);
    }
    blocks_.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) blocks_.emplace_back(routes_.size() * names_.size());
}

void RefusalMetrics::record(unsigned thread, std::size_t route, std::size_t code) noexcept {
    CHECK(thread < blocks_.size() && route < routes_.size() && code < name_of_.size(),
          "each thread, route and code has a counter");
    auto& counter = blocks_[thread].counters[route * names_.size() + name_of_[code]];
    // Only one thread writes, so this is as good as an atomic addition, and cheaper.
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::vector<prometheus::MetricFamily> RefusalMetrics::Collect() const {
    std::vector<prometheus::MetricFamily> families(1);
    auto& family = families.front();
    family.name = "sluice_refusals_total";
    family.help = "Requests that were told no, by route and code of the problem.";
    family.type = prometheus::MetricType::Counter;
    for (std::size_t i = 0; i < routes_.size() * names_.size(); ++i) {
        std::uint64_t sum = 0;
        for (const auto& block : blocks_) sum += block.counters[i].load(std::memory_order_relaxed);
        if (sum == 0) continue;
        auto& metric = family.metric.emplace_back();
        metric.label = {{"route", routes_[i / names_.size()]}, {"code", names_[i % names_.size()]}};
        metric.counter.value = static_cast<double>(sum);
    }
    return families;
}

}  // namespace sluice
