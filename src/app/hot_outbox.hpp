#pragma once

#include "observe/log.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Applies the ledger's hot outbox to the hot copies, in the order of its rows. Nobody else calls
/// StockGate::apply. Ways back and changes of the stock write their row in their own transaction
/// and call catch_up() after the commit, so that whoever is answered then sees the effect; if a
/// crash or an outage comes between, the next look of the hot copies' keeper catches up. Several
/// may catch up at once: a row that the copy has is skipped. From any event loop.
class HotOutbox {
  public:
    HotOutbox(StockGate& gate, OrderLedger& ledger, Log& log)
        : gate_(gate), ledger_(ledger), log_(log) {}

    /// Applies the rows that the sale's copy does not have. Does nothing when there is no copy: the
    /// next one is filled with them. Throws nothing: what could not be applied is applied later.
    Task<> catch_up(SaleId sale);

  private:
    static constexpr std::size_t kBite = 1'000;
    static constexpr int kMostBites = 1'000;

    Task<bool> apply_some(SaleId sale);

    StockGate& gate_;
    OrderLedger& ledger_;
    Log& log_;
};

}  // namespace sluice
