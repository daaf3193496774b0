#include "domain/order.hpp"

namespace sluice {

std::string_view to_string(OrderState state) {
    switch (state) {
        case OrderState::pending:
            return "pending";
        case OrderState::paid:
            return "paid";
        case OrderState::expired:
            return "expired";
        case OrderState::cancelled:
            return "cancelled";
        case OrderState::refunded:
            return "refunded";
    }
    return "pending";
}

std::optional<OrderState> parse_order_state(std::string_view text) {
    for (const auto state : {OrderState::pending, OrderState::paid, OrderState::expired,
                             OrderState::cancelled, OrderState::refunded})
        if (to_string(state) == text) return state;
    return std::nullopt;
}

bool may_become(OrderState from, OrderState to) {
    switch (from) {
        case OrderState::pending:
            return to == OrderState::paid || to == OrderState::expired ||
                   to == OrderState::cancelled;
        case OrderState::paid:
            return to == OrderState::refunded;
        case OrderState::expired:
        case OrderState::cancelled:
        case OrderState::refunded:
            return false;
    }
    return false;
}

}  // namespace sluice
