#pragma once

#include "domain/ids.hpp"

namespace sluice {

/// What the hot copy signals about a sale, in the order in which it happens there. A signal may be
/// lost, so listeners must also look by themselves now and then. Called from any thread, in the
/// middle of a claim: it must be quick and must not call back.
class StockSignals {
  public:
    virtual ~StockSignals() = default;

    virtual void sold_out(SaleId sale) noexcept = 0;
    virtual void restocked(SaleId sale) noexcept = 0;
};

}  // namespace sluice
