#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "domain/sale.hpp"

namespace sluice::sqlite {

/// Tells of sales whose stock or terms changed, whole and as the commit left them, in the order of
/// the commits and before the caller who changed them is told: whoever hears of an effect finds it
/// shown.
class StockNews {
  public:
    using Listener = std::function<void(std::span<const Sale>)>;

    /// Called on the writer's thread; must not block, throw or call this. The one before is never
    /// called again once this has returned.
    void listen(Listener listener);

    // On the writer's thread:

    /// The last thing a write does: what it notes is not taken back with it.
    void note(Sale sale) { pending_.push_back(std::move(sale)); }
    void conclude(bool committed);

  private:
    std::vector<Sale> pending_;
    std::mutex mutex_;
    Listener listener_;  // under mutex_
};

}  // namespace sluice::sqlite
