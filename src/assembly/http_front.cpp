#include "assembly/http_front.hpp"

#include "api/routes.hpp"
#include "assembly/server_setup.hpp"
#include "base/web_url.hpp"

namespace sluice {
namespace {

/// The routes and then "none".
std::vector<std::string> route_names() {
    std::vector<std::string> names;
    for (const auto& route : api::kRoutes) names.emplace_back(route.name);
    names.emplace_back("none");
    return names;
}

}  // namespace

HttpFront::HttpFront(const Config& config, Random& random, Log& log)
    : threads(thread_count(config)),
      connections(connection_bound(config, log)),
      funnel_counts(http::kCodes, threads),
      request_metrics(route_names(), threads),
      refusal_metrics(route_names(), http::code_names(), threads),
      server(config, threads, connections,
             {.limits = config.http,
              .stream_limits = config.streams,
              .https = config.is_https(),
              .metrics = request_metrics,
              .refusals = refusal_metrics,
              .unrouted = api::kRoutes.size(),
              .log = log},
             make_seeds(random, threads)) {}

void HttpFront::add_metrics(MetricsPage& metrics) {
    metrics.add(request_metrics);
    metrics.add(refusal_metrics);
    metrics.add_gauge("sluice_http_connections", "Connections that are open.",
                      [this] { return static_cast<double>(server.connections()); });
    metrics.add_counter("sluice_http_connections_let_go_total",
                        "Connections that had to make room for others.",
                        [this] { return static_cast<double>(server.asked_to_close()); });
}

Endpoint HttpFront::own_endpoint() const {
    const auto url = WebUrl::parse(server.shop_url()).value();
    Endpoint where{url.host, url.port};
    if (where.host == "0.0.0.0") where.host = "127.0.0.1";
    if (where.host == "::") where.host = "::1";
    return where;
}

}  // namespace sluice
