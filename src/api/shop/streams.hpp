#pragma once

#include "api/shop/stream_counts.hpp"
#include "app/streams/stream_hub.hpp"
#include "http/exchange.hpp"
#include "ports/session_store.hpp"

namespace sluice::api {

/// Streams on which buyers are told at once what they would otherwise have to ask for again and
/// again.
class Streams {
  public:
    Streams(StreamHub& hub, const Catalog& catalog, SessionStore& sessions, const Clock& clock,
            StreamCounts& counts)
        : hub_(hub), catalog_(catalog), sessions_(sessions), clock_(clock), counts_(counts) {}

    http::Pending open(http::Exchange& exchange);

  private:
    StreamHub& hub_;
    const Catalog& catalog_;
    SessionStore& sessions_;
    const Clock& clock_;
    StreamCounts& counts_;
};

}  // namespace sluice::api
