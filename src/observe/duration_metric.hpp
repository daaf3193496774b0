#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include <prometheus/collectable.h>

namespace sluice {

/// One histogram of durations on /metrics, from a tenth of a millisecond to ten seconds. Only one
/// thread records.
class DurationMetric : public prometheus::Collectable {
  public:
    DurationMetric(std::string name, std::string help)
        : name_(std::move(name)), help_(std::move(help)) {}

    void record(std::chrono::nanoseconds took) noexcept;

    std::vector<prometheus::MetricFamily> Collect() const override;

    static constexpr std::size_t kBounds = 11;

  private:
    const std::string name_;
    const std::string help_;
    std::array<std::atomic<std::uint64_t>, kBounds + 1> by_bound_{};  // the last is beyond all
    std::atomic<double> seconds_{0};
};

}  // namespace sluice
