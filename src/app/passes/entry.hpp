#pragma once

#include <optional>

#include "app/catalog/catalog.hpp"
#include "domain/reason.hpp"
#include "domain/sale.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// A standing sale gives way to a flash sale of its item, from the flash sale's start to its end:
/// nobody should pay the list price by mistake. Only the gate checks it; what was claimed just
/// before is still ordered.
bool gives_way(const Catalog& catalog, const Sale& sale, Timestamp now);

/// Why this buyer cannot enter this sale now, whatever they can show. In this order: the state of
/// the sale, whether it has to give way, what the buyer holds already, what is left. The same for a
/// challenge and for a pass, because nobody should solve a challenge and then be refused the pass.
std::optional<Reason> entry_refusal(const Sale& sale, const StockGate::Glance& glance,
                                    bool gives_way, Timestamp now);

}  // namespace sluice
