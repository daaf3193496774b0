#pragma once

#include <variant>

#include "domain/order.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Something of one buyer's that came to be or changed, whole and as the commit left it.
struct BuyerNews {
    UserId buyer;
    std::variant<TicketRecord, Order> what;
};

}  // namespace sluice
