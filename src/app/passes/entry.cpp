#include "app/passes/entry.hpp"

namespace sluice {

bool gives_way(const Catalog& catalog, const Sale& sale, Timestamp now) {
    return sale.kind == SaleKind::standing && catalog.has_running_flash_sale(sale.item_id, now);
}

std::optional<Reason> entry_refusal(const Sale& sale, const StockGate::Glance& glance,
                                    bool gives_way, Timestamp now) {
    if (const auto closed = closed_because(sale, now)) return closed;
    if (gives_way) return Reason::conflict;
    if (glance.units >= sale.limit_per_buyer) return Reason::limit_reached;
    if (!glance.warm) return Reason::unavailable;
    if (glance.left <= 0) return Reason::sold_out;
    return std::nullopt;
}

}  // namespace sluice
