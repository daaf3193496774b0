#pragma once

#include "api/office/machine_room.hpp"
#include "assembly/keeper.hpp"
#include "observe/metrics.hpp"
#include "ports/buyer_signals.hpp"
#include "ports/code_box.hpp"
#include "ports/entry_desk.hpp"
#include "ports/node_directory.hpp"
#include "ports/session_store.hpp"
#include "ports/shared_counts.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Everything that is answered without asking the ledger: the stock, the sessions, the places at
/// the gates of sales, the challenges and the codes that are out. One implementation for each mode.
class HotTier {
  public:
    virtual ~HotTier() = default;

    virtual StockGate& gate() = 0;
    virtual SessionStore& sessions() = 0;
    virtual EntryDesk& entry() = 0;
    virtual CodeBox& codes() = 0;
    /// Counts that all nodes share, behind the rate limits of each; nullptr: there is only this
    /// node.
    virtual SharedCounts* counts() = 0;
    /// How nodes tell each other what is new for a buyer; nullptr: there is only this node.
    virtual BuyerSignals* signals() = 0;
    /// The servers that share this tier.
    virtual NodeDirectory& nodes() = 0;
    /// Whether all of it ends with this process, and nobody else fills or asks it.
    virtual bool ends_with_process() const = 0;

    /// Whether this node is the keeper for what has to be done once for all nodes, such as telling
    /// webhooks. It only saves work: if two nodes do it at once, they repeat what may be repeated.
    /// From any thread.
    virtual bool is_on_duty() const = 0;
    /// The same for what only a node with the role edge can do.
    virtual bool is_first_edge() const = 0;

    virtual void employ(Keeper& keeper) = 0;
    virtual void add_metrics(MetricsPage& metrics) const = 0;
    /// From any thread.
    virtual std::vector<api::PartHealth> health() const = 0;

    /// Releases what belongs to this event loop of the server, which is ending. On the loop's
    /// thread.
    virtual void leave(AsioLoop& loop) = 0;
    /// After the last request: writes what is not written yet. May throw Outage.
    virtual Task<> stop() = 0;
};

}  // namespace sluice
