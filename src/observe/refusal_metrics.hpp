#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <prometheus/collectable.h>

namespace sluice {

/// Counts refusals, by route and code: sluice_refusals_total{route,code}. As in RequestMetrics,
/// each thread has lines of its own and recording is one plain store. A refusal that never happened
/// is not shown.
class RefusalMetrics : public prometheus::Collectable {
  public:
    /// Codes of the same name are counted together.
    RefusalMetrics(std::vector<std::string> routes, const std::vector<std::string>& codes,
                   unsigned threads);

    /// `thread` counts from 0 and is used by one thread only; the others are places in the lists.
    void record(unsigned thread, std::size_t route, std::size_t code) noexcept;

    std::vector<prometheus::MetricFamily> Collect() const override;

  private:
    using Counter = std::atomic<std::uint64_t>;

    struct alignas(64) Block {
        explicit Block(std::size_t size) : counters(size) {}
        std::vector<Counter> counters;  // by route, then by name
    };

    const std::vector<std::string> routes_;
    std::vector<std::string> names_;    // of codes, each once
    std::vector<std::size_t> name_of_;  // by code
    std::vector<Block> blocks_;         // by thread
};

}  // namespace sluice
