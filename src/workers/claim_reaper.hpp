#pragma once

#include <chrono>

#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Settles claims whose hand-off never told what came of it. The journal decides: a ticket that it
/// does not know gets a row that says rolled back, and that row is the fence no late hand-off can
/// pass; only then the units return. Each step may be repeated, and two reapers may run at once.
class ClaimReaper {
  public:
    /// Longer than any hand-off may be under way, or it would be fenced before it arrives.
    static constexpr std::chrono::seconds kPatience{10};

    ClaimReaper(StockGate& gate, OrderLedger& ledger, const Clock& clock)
        : gate_(gate), ledger_(ledger), clock_(clock) {}

    /// One round. May throw Outage: the claims stay condemned, and the next round finds them.
    Task<> reap_once();

  private:
    StockGate& gate_;
    OrderLedger& ledger_;
    const Clock& clock_;
};

}  // namespace sluice
