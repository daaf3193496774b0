#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <prometheus/collectable.h>

namespace sluice {

/// Counts requests by route and class of status, and how long they took:
/// sluice_http_requests_total{route,status="2xx"} and sluice_http_request_seconds{route}.
///
/// Each thread counts in lines of its own that no other thread writes, so that recording costs a
/// few plain stores. A scrape adds them up; a request that is just being recorded may show in one
/// of the two metrics and not yet in the other.
class RequestMetrics : public prometheus::Collectable {
  public:
    RequestMetrics(std::vector<std::string> routes, unsigned threads);

    /// `thread` counts from 0 and is used by one thread only; `route` is the place in the list.
    void record(unsigned thread, std::size_t route, int status,
                std::chrono::nanoseconds took) noexcept;

    std::vector<prometheus::MetricFamily> Collect() const override;

    static constexpr std::size_t kBounds = 16;

  private:
    using Counter = std::atomic<std::uint64_t>;

    struct alignas(64) Line {
        std::array<Counter, 5> by_class{};            // 1xx to 5xx
        std::array<Counter, kBounds + 1> by_bound{};  // the last one is beyond all bounds
        Counter total_nanoseconds{0};
    };

    struct Sum {
        std::array<std::uint64_t, 5> by_class{};
        std::array<std::uint64_t, kBounds + 1> by_bound{};
        double seconds = 0;
    };
    Sum sum_of(std::size_t route) const;

    const std::vector<std::string> routes_;
    std::vector<std::vector<Line>> lines_;  // by thread, then by route
};

}  // namespace sluice
