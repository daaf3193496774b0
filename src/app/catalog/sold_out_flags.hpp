#pragma once

#include <boost/unordered/unordered_flat_set.hpp>

#include "app/catalog/catalog.hpp"
#include "base/mutex.hpp"
#include "ports/stock_gate.hpp"
#include "ports/stock_signals.hpp"

namespace sluice {

/// One flag for each sale that says: nothing is left. With it, buyers who come too late are refused
/// after one load from memory, wherever the hot copy is. A flag that is set while stock is left
/// would keep that stock from everybody (I6), so it does not rely on signals alone: heal() clears
/// it within a second. A flag that is not set while nothing is left costs a claim that fails, and
/// is set again then.
class SoldOutFlags final : public StockSignals {
  public:
    explicit SoldOutFlags(const Catalog& catalog) : catalog_(catalog) {}

    static bool is_up(const DisplayedSale& sale) { return sale.stock->is_flagged_sold_out(); }

    void sold_out(SaleId sale) noexcept override;
    void restocked(SaleId sale) noexcept override;

    /// Checks the stock behind each flag that is set. To be called once a second.
    Task<> heal(const StockGate& gate);

  private:
    void flag(SaleId sale, bool up) noexcept;

    const Catalog& catalog_;
    Mutex mutex_;
    boost::unordered_flat_set<SaleId, std::hash<SaleId>> raised_ GUARDED_BY(mutex_);
};

}  // namespace sluice
