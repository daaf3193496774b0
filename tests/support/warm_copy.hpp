#pragma once

#include <string>
#include <utility>

#include "base/run_to_end.hpp"
#include "ports/stock_gate.hpp"

namespace sluice::testing_support {

/// What a test fills a hot copy with.
struct CopyToFill {
    SaleId sale{1};
    std::int64_t epoch = 1;
    std::int64_t left = 0;
    StockGate::Holdings holdings = {};
    std::int64_t applied = 0;
    std::string ledger = "ledger";
};

/// All steps of filling, one after the other. False when one is refused.
inline bool warm(StockGate& gate, const CopyToFill& copy) {
    const StockGate::Filling filling{copy.sale, copy.epoch, copy.ledger};
    return run_to_end(gate.begin_fill(filling, copy.left, copy.applied)) &&
           run_to_end(gate.fill(filling, copy.holdings)) && run_to_end(gate.open_epoch(filling));
}

}  // namespace sluice::testing_support
