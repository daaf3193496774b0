#pragma once

#include <optional>

#include "domain/reason.hpp"
#include "domain/sale.hpp"
#include "ports/stock_gate.hpp"

namespace sluice::gate {

/// Why this buyer cannot come in to this sale now, whatever they can show: the state of the sale,
/// then what they hold already, then what is left. The same for a challenge and for a pass, since
/// nobody should solve the one to be refused the other.
std::optional<Reason> reason_to_stay_out(const Sale& sale, const StockGate::Glance& glance,
                                         Timestamp now);

}  // namespace sluice::gate
