#pragma once

#include <chrono>
#include <vector>

#include "base/task.hpp"
#include "domain/session_token.hpp"

namespace sluice {

/// Copies of sessions that several nodes share, between the memory of each node and the ledger. May
/// be called from any event loop.
class SessionCopies {
  public:
    virtual ~SessionCopies() = default;

    /// The ledger has ended or changed these: a look-up that begins from now on gets no older copy.
    /// If the copies cannot be reached, this is repeated later; it never throws Outage.
    virtual Task<Done> drop(std::vector<SessionKey> changed) = 0;

    /// How long a node may remember a session that it has looked up. A change by another node is
    /// seen within that time.
    virtual std::chrono::milliseconds freshness() const = 0;
};

}  // namespace sluice
