#pragma once

#include <chrono>

#include "app/catalog/catalog.hpp"
#include "http/exchange.hpp"
#include "observe/funnel_counts.hpp"

namespace sluice::api {

/// Counts every answer about a sale, also refusals at the front door. A sale that does not exist
/// takes no place in the counts.
class FunnelRecorder {
  public:
    FunnelRecorder(FunnelCounts& counts, const Catalog& catalog)
        : counts_(counts), catalog_(catalog) {}

    /// On the event loop `thread`, when the answer is written.
    void record(unsigned thread, const http::Exchange& exchange, std::chrono::nanoseconds took);

  private:
    std::optional<std::size_t> place_of(SaleId sale);

    FunnelCounts& counts_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
