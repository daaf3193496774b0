#pragma once

#include <optional>
#include <span>
#include <vector>

#include "api/shop/stream_counts.hpp"
#include "api/shop/stream_review.hpp"
#include "api/shop/streams.hpp"
#include "app/streams/buyer_feed.hpp"
#include "app/streams/stream_hub.hpp"
#include "assembly/binding.hpp"
#include "assembly/keeper.hpp"
#include "config/config.hpp"
#include "domain/limit_scope.hpp"
#include "gate/block_list.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "ports/buyer_signals.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// What is sent to pages that stay open.
class StreamLine {
  public:
    struct Parts {
        const Config::Streams& config;
        const Catalog& catalog;
        SessionStore& sessions;
        const gate::BlockList& blocks;
        const LimitScope& limit_scope;
        const Clock& clock;
        std::vector<Executor*> loops;  // of the server
        std::size_t most;              // streams at once
        OrderLedger& orders;
        BuyerSignals* signals;  // nullptr: other nodes have no news of our buyers
        Log& log;
    };
    explicit StreamLine(const Parts& parts);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);
    void add_metrics(MetricsPage& metrics) const;

    /// What was committed here, in the order of the commits. From any thread.
    void tell(std::span<const BuyerNews> news);
    /// Whether news for that buyer is needed. From any thread, without waiting.
    bool wants(UserId buyer) const { return feed_ || hub_.may_want(buyer); }

  private:
    StreamHub hub_;
    Periodic feed_rounds_;
    std::optional<BuyerFeed> feed_;
    api::StreamCounts counts_;
    api::Streams streams_;
    api::StreamReview review_;
};

}  // namespace sluice
