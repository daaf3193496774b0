#pragma once

#include <optional>
#include <string>

#include "ports/order_ledger.hpp"

namespace sluice {

/// How a hot copy at rest differs from the ledger, as text for an operator; nullopt when they agree
/// on the epoch, on what is left and on the units of every buyer. Names a few buyers at most.
std::optional<std::string> difference(const StockGate::Snapshot& hot,
                                      const OrderLedger::HotCopy& ledger);

}  // namespace sluice
