#pragma once

#include <span>

#include "api/shop/stream_counts.hpp"
#include "api/shop/stream_review.hpp"
#include "api/shop/streams.hpp"
#include "app/stream_hub.hpp"
#include "assembly/binding.hpp"
#include "assembly/foundation.hpp"
#include "assembly/keeper.hpp"
#include "gate/block_list.hpp"
#include "observe/metrics.hpp"

namespace sluice {

/// What is told to pages that stay open.
class StreamLine {
  public:
    /// `most`: streams at once. `loops`: of the server.
    StreamLine(const Foundation& base, const Catalog& catalog, SessionStore& sessions,
               const gate::BlockList& blocks, std::span<Executor* const> loops, std::size_t most);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);
    void add_metrics(MetricsPage& metrics) const;

    StreamHub hub;

  private:
    api::StreamCounts counts_;
    api::Streams streams_;
    api::StreamReview review_;
};

}  // namespace sluice
