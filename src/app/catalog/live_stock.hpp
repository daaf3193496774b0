#pragma once

#include <atomic>

#include "base/mutex.hpp"
#include "domain/sale.hpp"

namespace sluice {

/// What changes with every purchase, and is therefore kept apart from the sale itself: its stock as
/// last committed, the numbers of that commit, and the flag that nothing is left in the hot copy.
/// Safe from any thread.
class LiveStock {
  public:
    explicit LiveStock(const Sale& sale)
        : stock_(sale.stock), hot_seq_(sale.hot_seq), news_seq_(sale.news_seq) {}

    Stock now() const {
        const MutexLock lock(mutex_);
        return stock_;
    }

    /// The last row of the sale's hot outbox.
    std::int64_t hot_seq() const {
        const MutexLock lock(mutex_);
        return hot_seq_;
    }

    /// Takes the sale's stock unless the present one is newer.
    void update(const Sale& sale) {
        const MutexLock lock(mutex_);
        if (sale.news_seq < news_seq_) return;
        stock_ = sale.stock;
        hot_seq_ = sale.hot_seq;
        news_seq_ = sale.news_seq;
    }

    bool is_flagged_sold_out() const { return sold_out_.load(std::memory_order_relaxed); }
    void flag_sold_out(bool up) { sold_out_.store(up, std::memory_order_relaxed); }

  private:
    std::atomic<bool> sold_out_{false};
    mutable Mutex mutex_;
    Stock stock_ GUARDED_BY(mutex_);
    std::int64_t hot_seq_ GUARDED_BY(mutex_);
    std::int64_t news_seq_ GUARDED_BY(mutex_);
};

}  // namespace sluice
