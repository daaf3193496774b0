#pragma once

#include <mutex>

#include "domain/sale.hpp"

namespace sluice {

/// A sale's stock as last committed, which changes with every purchase and so stands apart from
/// the sale itself. Safe from any thread.
class LiveStock {
  public:
    explicit LiveStock(const Stock& stock) : stock_(stock) {}

    Stock now() const {
        const std::lock_guard lock(mutex_);
        return stock_;
    }

    void update(const Stock& stock) {
        const std::lock_guard lock(mutex_);
        stock_ = stock;
    }

  private:
    mutable std::mutex mutex_;
    Stock stock_;  // under mutex_
};

}  // namespace sluice
