#pragma once

#include "ports/clock.hpp"
#include "ports/receipt.hpp"
#include "ports/session_ledger.hpp"

namespace sluice {

/// Forgets the sessions that have expired and the receipts whose day is over. Both are invisible
/// from their last instant on anyway: this only gives their space back.
class Pruner {
  public:
    Pruner(const Clock& clock, SessionLedger& sessions, ReceiptLedger& receipts)
        : clock_(clock), sessions_(sessions), receipts_(receipts) {}

    /// One round, in bites small enough that a purchase waits behind one unnoticed, and not too
    /// many of them: what is left is for the next round. Throws Outage or Overload.
    Task<> prune_once();

  private:
    const Clock& clock_;
    SessionLedger& sessions_;
    ReceiptLedger& receipts_;
};

}  // namespace sluice
