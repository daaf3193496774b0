#pragma once

#include <optional>

#include "app/catalog.hpp"
#include "domain/reason.hpp"
#include "domain/sale.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// A standing sale gives way to a flash sale of its item, from that one's start to its end: nobody
/// should pay the list price by mistake. Only the gate looks at it; what was claimed an instant
/// before is ordered.
bool gives_way(const Catalog& catalog, const Sale& sale, Timestamp now);

/// Why this buyer cannot come in to this sale now, whatever they can show: the state of the sale,
/// whether it has to give way, then what they hold already, then what is left. The same for a
/// challenge and for a pass, because nobody should solve a challenge and then be refused the pass.
std::optional<Reason> reason_to_stay_out(const Sale& sale, const StockGate::Glance& glance,
                                         bool gives_way, Timestamp now);

}  // namespace sluice
