#include "gate/entry.hpp"

namespace sluice::gate {

std::optional<Reason> reason_to_stay_out(const Sale& sale, const StockGate::Glance& glance,
                                         Timestamp now) {
    if (const auto closed = closed_because(sale, now)) return closed;
    if (glance.units >= sale.limit_per_buyer) return Reason::limit_reached;
    if (!glance.warm) return Reason::unavailable;
    if (glance.left <= 0) return Reason::sold_out;
    return std::nullopt;
}

}  // namespace sluice::gate
