#include "domain/order_delivery.hpp"

#include <algorithm>

#include "base/names.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

using State = OrderDeliveryState;

constexpr Names<State::delivered> kStates({{State::none, "none"},
                                           {State::preparing, "preparing"},
                                           {State::shipped, "shipped"},
                                           {State::delivered, "delivered"}});

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '.' || c == '/' || c == '_' || c == ' ';
}

std::vector<FieldError> check(const OrderDelivery& delivery) {
    std::vector<FieldError> errors;
    if (count_characters(delivery.carrier) > kMaxCarrierLength)
        errors.push_back({"carrier", Complaint(Rule::most_characters, kMaxCarrierLength)});
    else if (has_control_characters(delivery.carrier, false))
        errors.push_back({"carrier", Rule::has_control_characters});
    if (delivery.number.size() > kMaxTrackingNumberLength ||
        !std::ranges::all_of(delivery.number, is_plain))
        errors.push_back({"number", Complaint(Rule::plain_at_most, kMaxTrackingNumberLength)});
    if (delivery.state != State::none) return errors;
    if (!delivery.carrier.empty()) errors.push_back({"carrier", Rule::nothing_delivered});
    if (!delivery.number.empty()) errors.push_back({"number", Rule::nothing_delivered});
    return errors;
}

}  // namespace

std::string_view to_string(OrderDeliveryState state) {
    return kStates.text(state);
}

std::optional<OrderDeliveryState> parse_order_delivery_state(std::string_view text) {
    return kStates.parse(text);
}

Outcome<OrderDelivery> change_delivery(const OrderDelivery& before, const OrderDeliveryWish& wish,
                                       OrderState order, Timestamp now) {
    if (order != OrderState::paid) return refuse(Reason::conflict, Detail::nothing_to_deliver);
    OrderDelivery after = before;
    if (wish.state) after.state = *wish.state;
    if (after.state == State::none) after.carrier = after.number = "";
    if (wish.carrier) after.carrier = trimmed(*wish.carrier);
    if (wish.number) after.number = trimmed(*wish.number);
    if (auto errors = check(after); !errors.empty()) return refuse(std::move(errors));
    if (after != before) after.changed_at = now;
    return after;
}

}  // namespace sluice
