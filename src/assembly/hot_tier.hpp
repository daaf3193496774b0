#pragma once

#include "assembly/keeper.hpp"
#include "ports/code_box.hpp"
#include "ports/entry_desk.hpp"
#include "ports/session_store.hpp"
#include "ports/shared_counts.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// What is answered without asking the ledger: the stock, the sessions, the places at the gates of
/// sales, the challenges and the codes that are out. One for each mode.
class HotTier {
  public:
    virtual ~HotTier() = default;

    virtual StockGate& gate() = 0;
    virtual SessionStore& sessions() = 0;
    virtual EntryDesk& entry() = 0;
    virtual CodeBox& codes() = 0;
    /// What nodes count together, behind the rate limits of each; nullptr: there is only this one.
    virtual SharedCounts* counts() = 0;
    /// Whether all of it ends with this process, and nobody else fills or asks it.
    virtual bool ends_with_process() const = 0;

    /// Somebody else has changed the ledger: ask it again for everyone. From any thread.
    virtual void forget_sessions() = 0;

    virtual void employ(Keeper& keeper) = 0;
    /// After the last request: writes what is not written yet. May throw Outage.
    virtual Task<> stop() = 0;
};

}  // namespace sluice
