#pragma once

#include "api/office/machine_room.hpp"
#include "assembly/keeper.hpp"
#include "observe/metrics.hpp"
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

    /// Whether this node is the one that does what has to be done once for all nodes, such as
    /// telling webhooks. It only saves work: two who do it at once repeat what may be repeated.
    /// From any thread.
    virtual bool is_on_duty() const = 0;

    /// Somebody else has changed the ledger: ask it again for everyone. From any thread.
    virtual void forget_sessions() = 0;

    virtual void employ(Keeper& keeper) = 0;
    virtual void add_metrics(MetricsPage& metrics) const = 0;
    /// From any thread.
    virtual std::vector<api::PartHealth> health() const = 0;

    /// Nothing of it may stay on this event loop of the server, which ends. On the loop's thread.
    virtual void leave(AsioLoop& loop) = 0;
    /// After the last request: writes what is not written yet. May throw Outage.
    virtual Task<> stop() = 0;
};

}  // namespace sluice
