#pragma once

#include "observe/log.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Applies the ledger's hot outbox to the hot copies, in the order of its rows. Nothing else calls
/// StockGate::apply. Every change of the stock without a claim writes its row in its own
/// transaction and calls catch_up() after the commit, so that whoever is answered then sees the
/// effect. If a crash or an outage comes between, the keeper of the hot copies catches up in its
/// next round. Several callers may catch up at once: a row that the copy has is skipped. From any
/// event loop.
class HotOutbox {
  public:
    HotOutbox(StockGate& gate, OrderLedger& ledger, Log& log)
        : gate_(gate), ledger_(ledger), log_(log) {}

    /// Applies the rows that the sale's copy lacks. Does nothing when there is no copy: the next
    /// one is filled with them. Throws nothing: what could not be applied is applied later.
    Task<> catch_up(SaleId sale);

  private:
    static constexpr std::size_t kAtOnce = 1'000;
    static constexpr int kMostRounds = 1'000;

    Task<bool> apply_some(SaleId sale);

    StockGate& gate_;
    OrderLedger& ledger_;
    Log& log_;
};

}  // namespace sluice
