#pragma once

#include <atomic>
#include <mutex>

#include "domain/sale.hpp"

namespace sluice {

/// What changes with every purchase, and so stands apart from the sale itself: its stock as last
/// committed, and the flag that nothing is left in the hot copy. Safe from any thread.
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

    bool is_flagged_sold_out() const { return sold_out_.load(std::memory_order_relaxed); }
    void flag_sold_out(bool up) { sold_out_.store(up, std::memory_order_relaxed); }

  private:
    std::atomic<bool> sold_out_{false};
    mutable std::mutex mutex_;
    Stock stock_;  // under mutex_
};

}  // namespace sluice
