#pragma once

#include <prometheus/collectable.h>

namespace sluice {

/// The process as Linux sees it, under the names that every Prometheus client uses (process_…).
/// What /proc does not show is left out.
class ProcessMetrics : public prometheus::Collectable {
  public:
    std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace sluice
