#pragma once

#include "config/config.hpp"
#include "http/server.hpp"
#include "observe/funnel_counts.hpp"
#include "observe/metrics.hpp"
#include "ports/random.hpp"

namespace sluice {

/// The threads and listeners, and what is counted of requests. The listeners are open from the
/// start; requests are answered when the server runs.
class HttpFront {
  public:
    HttpFront(const Config& config, Random& random, Log& log);

    void add_metrics(MetricsPage& metrics);

    /// Where the built-in payment provider finds our webhook: at the shop's own listener.
    Endpoint own_endpoint() const;

    const unsigned threads;
    const std::size_t connections;  // at most
    FunnelCounts funnel_counts;
    RequestMetrics request_metrics;
    RefusalMetrics refusal_metrics;
    http::Server server;
};

}  // namespace sluice
