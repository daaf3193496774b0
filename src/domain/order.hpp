#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/ticket.hpp"

namespace sluice {

enum class OrderState { pending, paid, expired, cancelled, refunded };

std::string_view to_string(OrderState);
std::optional<OrderState> parse_order_state(std::string_view);

/// Pending becomes paid, expired or cancelled; paid becomes refunded; no other
/// change is possible.
bool may_become(OrderState from, OrderState to);

/// A live order counts against its buyer's limit and its sale's stock.
constexpr bool is_live(OrderState state) {
    return state == OrderState::pending || state == OrderState::paid;
}

struct Order {
    OrderId id;
    TicketId ticket;
    SaleId sale_id;
    ItemId item_id;
    UserId buyer;
    std::int64_t quantity = 1;
    std::int64_t price_cents = 0;
    std::string currency;
    OrderState state = OrderState::pending;
    Timestamp created_at;
    Timestamp expires_at;
    std::optional<Timestamp> paid_at;
    /// The buyer's latest payment of this pending order has failed. Only filled in when a buyer
    /// looks up this one order.
    bool payment_failed = false;

    std::int64_t total_cents() const { return price_cents * quantity; }
};

/// At the instant at which it expires an order is not pending any more, even if the ledger says so
/// for a moment.
inline bool is_pending_at(const Order& order, Timestamp now) {
    return order.state == OrderState::pending && now < order.expires_at;
}

}  // namespace sluice
