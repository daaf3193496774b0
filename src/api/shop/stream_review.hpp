#pragma once

#include "app/stream_hub.hpp"
#include "gate/block_list.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"

namespace sluice::api {

/// A stream passes the front door once and may stay for hours: this asks again, for everybody who
/// is still here, what the front door asked.
class StreamReview {
  public:
    StreamReview(StreamHub& hub, SessionStore& sessions, const gate::BlockList& blocks,
                 const Clock& clock)
        : hub_(hub), sessions_(sessions), blocks_(blocks), clock_(clock) {}

    /// Sees off whoever is blocked by now or has no session any more. May throw Outage; then nobody
    /// is seen off for want of a session that could not be looked up.
    Task<> review();

  private:
    StreamHub& hub_;
    SessionStore& sessions_;
    const gate::BlockList& blocks_;
    const Clock& clock_;
};

}  // namespace sluice::api
