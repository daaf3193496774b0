#pragma once

#include <variant>

#include "domain/order.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// A ticket or an order of a buyer that was made or changed, complete and as the commit left it.
struct BuyerNews {
    UserId buyer;
    std::variant<TicketRecord, Order> what;
};

}  // namespace sluice
