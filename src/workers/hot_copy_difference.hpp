#pragma once

#include <vector>

#include "domain/notice.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// How a hot copy at rest differs from the ledger; nothing when they agree on the epoch, on what is
/// left and on the units of every buyer. Names a few buyers at most.
std::vector<Notice> find_differences(const StockGate::Snapshot& hot,
                                     const OrderLedger::HotCopy& ledger);

}  // namespace sluice
