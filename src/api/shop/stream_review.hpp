#pragma once

#include "app/streams/stream_hub.hpp"
#include "gate/block_list.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"

namespace sluice::api {

/// A stream passes the front door once and may stay open for hours. This repeats the front door's
/// checks for all open streams.
class StreamReview {
  public:
    StreamReview(StreamHub& hub, SessionStore& sessions, const gate::BlockList& blocks,
                 const Clock& clock)
        : hub_(hub), sessions_(sessions), blocks_(blocks), clock_(clock) {}

    /// Ends the streams of buyers who are blocked now or have no session any more. May throw
    /// Outage: a stream whose session could not be looked up stays.
    Task<> review();

  private:
    StreamHub& hub_;
    SessionStore& sessions_;
    const gate::BlockList& blocks_;
    const Clock& clock_;
};

}  // namespace sluice::api
