#pragma once

#include <boost/unordered/unordered_flat_set.hpp>

#include "app/catalog.hpp"
#include "base/mutex.hpp"
#include "ports/stock_gate.hpp"
#include "ports/stock_signals.hpp"

namespace sluice {

/// One flag for each sale that says: nothing is left. With it, buyers who come too late are refused
/// after one load from memory, wherever the hot copy is. A flag that is up with stock behind it
/// would keep that stock from everybody (I6), so it does not rely on signals alone: heal() lowers
/// it within a second. A flag that is down with nothing behind it costs a claim that fails, and
/// goes up again.
class SoldOutFlags final : public StockSignals {
  public:
    explicit SoldOutFlags(const Catalog& catalog) : catalog_(catalog) {}

    static bool is_up(const DisplayedSale& sale) { return sale.stock->is_flagged_sold_out(); }

    void sold_out(SaleId sale) noexcept override;
    void restocked(SaleId sale) noexcept override;

    /// Looks behind each flag that is up. To be done once a second.
    Task<> heal(const StockGate& gate);

  private:
    void flag(SaleId sale, bool up) noexcept;

    const Catalog& catalog_;
    Mutex mutex_;
    boost::unordered_flat_set<SaleId, std::hash<SaleId>> raised_ GUARDED_BY(mutex_);
};

}  // namespace sluice
