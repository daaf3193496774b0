#pragma once

#include <chrono>
#include <vector>

#include "base/task.hpp"
#include "domain/session_token.hpp"

namespace sluice {

/// Copies of sessions that several nodes share. They stand between the memory of each node and the
/// ledger. May be called from any event loop.
class SessionCopies {
  public:
    virtual ~SessionCopies() = default;

    /// The ledger has ended or changed these: no look-up that begins from now on gets an older
    /// copy. If the copies cannot be reached, that is made up for later; it never throws Outage.
    virtual Task<Done> drop(std::vector<SessionKey> changed) = 0;

    /// For how long a node may remember what it has looked up. A change of another node reaches it
    /// within that time.
    virtual std::chrono::milliseconds freshness() const = 0;
};

}  // namespace sluice
