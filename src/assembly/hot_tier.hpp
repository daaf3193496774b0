#pragma once

#include "assembly/keeper.hpp"
#include "ports/session_store.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// What is answered without asking the ledger: the stock and the sessions. One for each mode.
///
/// Places at the pass desk, challenges, rates and sold-out flags are still each process's own. A
/// hot tier that several processes share will have to keep them too.
class HotTier {
  public:
    virtual ~HotTier() = default;

    virtual StockGate& gate() = 0;
    virtual SessionStore& sessions() = 0;
    /// Whether the copies in the gate end with this process, and nobody else fills them.
    virtual bool ends_with_process() const = 0;

    /// Somebody else has changed the ledger: ask it again for everyone. From any thread.
    virtual void forget_sessions() = 0;

    virtual void employ(Keeper& keeper) = 0;
    /// After the last request: writes what is not written yet. May throw Outage.
    virtual Task<> stop() = 0;
};

}  // namespace sluice
