#include "domain/order.hpp"

#include "base/check.hpp"
#include "base/names.hpp"

namespace sluice {

namespace {

constexpr Names<OrderState::refunded> kOrderStates({{OrderState::pending, "pending"},
                                                    {OrderState::paid, "paid"},
                                                    {OrderState::expired, "expired"},
                                                    {OrderState::cancelled, "cancelled"},
                                                    {OrderState::refunded, "refunded"}});

}  // namespace

std::string_view to_string(OrderState state) {
    return kOrderStates.text(state);
}

std::optional<OrderState> parse_order_state(std::string_view text) {
    return kOrderStates.parse(text);
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
    CHECK(false, "an enum has one of its values");
}

}  // namespace sluice
