#pragma once

#include <string>
#include <utility>

#include "domain/ids.hpp"

namespace sluice::redis {

/// The names of our keys. Those of a sale share its hash tag, so they are on one server of a Redis
/// Cluster. A script is given `epoch` and makes the names of the sale's other keys from it, with
/// their times to live: lua/prelude.lua.
class Keys {
  public:
    explicit Keys(std::string prefix) : prefix_(std::move(prefix)) {}

    /// A set: the sales that may have a copy.
    std::string sales() const { return prefix_ + "sales"; }

    /// A number: the epoch of the copy that was opened last.
    std::string epoch(SaleId sale) const { return of(sale) + "epoch"; }
    /// A stream: the last changes of the sale's units, for those who follow.
    std::string log(SaleId sale) const { return of(sale) + "log"; }

  private:
    std::string of(SaleId sale) const { return prefix_ + '{' + sale.text() + "}:"; }

    const std::string prefix_;
};

}  // namespace sluice::redis
