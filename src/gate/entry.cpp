#include "gate/entry.hpp"

namespace sluice::gate {

std::optional<Reason> reason_to_stay_out(const Sale& sale, const StockGate::Glance& glance,
                                         Timestamp now) {
    // The stock is looked at last, and then as the glance sees it.
    constexpr Stock some{.total = 1, .left = 1, .held = 0, .sold = 0};
    const auto state = state_at(sale, some, now);
    if (state == SaleState::ended) return Reason::ended;
    if (state == SaleState::paused) return Reason::paused;
    if (state == SaleState::scheduled) return Reason::not_started;
    if (glance.units >= sale.limit_per_buyer) return Reason::limit_reached;
    if (!glance.warm) return Reason::unavailable;
    if (glance.left <= 0) return Reason::sold_out;
    return std::nullopt;
}

}  // namespace sluice::gate
