#include "app/catalog/sold_out_flags.hpp"

#include <vector>

namespace sluice {

void SoldOutFlags::sold_out(SaleId sale) noexcept {
    flag(sale, true);
}

void SoldOutFlags::restocked(SaleId sale) noexcept {
    flag(sale, false);
}

void SoldOutFlags::flag(SaleId id, bool up) noexcept {
    const auto sale = catalog_.sale(id);
    if (!sale || SoldOutFlags::is_up(*sale) == up) return;
    const MutexLock lock(mutex_);
    sale->stock->flag_sold_out(up);
    if (up)
        raised_.insert(id);
    else
        raised_.erase(id);
}

Task<> SoldOutFlags::heal(const StockGate& gate) {
    std::vector<SaleId> raised;
    {
        const MutexLock lock(mutex_);
        raised.assign(raised_.begin(), raised_.end());
    }
    constexpr UserId nobody{0};
    for (const auto sale : raised) {
        // Without a hot copy nothing is sold, with or without a flag: a sale that is over needs
        // none.
        const auto glance = gate.glance(sale, nobody);
        if (!glance.warm || glance.left > 0) flag(sale, false);
    }
    co_return;
}

}  // namespace sluice
