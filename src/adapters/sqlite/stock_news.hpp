#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "domain/sale.hpp"

namespace sluice::sqlite {

/// A sale's stock as a committed transaction left it.
struct SaleStock {
    SaleId sale;
    Stock stock;
    std::int64_t version = 1;  // of the sale: a restock counts as an edit
};

/// Tells of stock that changed, in the order of the commits and before the caller who changed it
/// is told: whoever hears of an effect finds it shown.
class StockNews {
  public:
    using Listener = std::function<void(std::span<const SaleStock>)>;

    /// Called on the writer's thread; must not block, throw or call this. The one before is never
    /// called again once this has returned.
    void listen(Listener listener);

    // On the writer's thread:

    /// The last thing a write does: what it notes is not taken back with it.
    void note(SaleStock news) { pending_.push_back(news); }
    void conclude(bool committed);

  private:
    std::vector<SaleStock> pending_;
    std::mutex mutex_;
    Listener listener_;  // under mutex_
};

}  // namespace sluice::sqlite
