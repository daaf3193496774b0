#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/order.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// How far a paid order is on its way to its buyer.
enum class OrderDeliveryState { none, preparing, shipped, delivered };

std::string_view to_string(OrderDeliveryState);
std::optional<OrderDeliveryState> parse_order_delivery_state(std::string_view);

inline constexpr std::size_t kMaxCarrierLength = 60;
inline constexpr std::size_t kMaxTrackingNumberLength = 64;

/// The delivery of one order, as its buyer may see it.
struct OrderDelivery {
    OrderDeliveryState state = OrderDeliveryState::none;
    std::string carrier{};  // who brings it; may be empty, as the next
    std::string number{};   // to follow it by at the carrier's
    std::optional<Timestamp> changed_at{};

    friend bool operator==(const OrderDelivery&, const OrderDelivery&) = default;
};

/// What is left out stays.
struct OrderDeliveryWish {
    std::optional<OrderDeliveryState> state{};
    std::optional<std::string> carrier{};
    std::optional<std::string> number{};
};

/// The delivery as it is after the wish; changed_at stays when nothing else has changed. Any state
/// may follow any other, since people press the wrong button. Without a delivery there is neither
/// carrier nor number: going back to none drops both. Refuses with conflict when the order is not
/// paid.
Outcome<OrderDelivery> change_delivery(const OrderDelivery& before, const OrderDeliveryWish& wish,
                                       OrderState order, Timestamp now);

}  // namespace sluice
