#include "domain/webhook.hpp"

#include <algorithm>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

constexpr std::array<std::string_view, kEventTypes> kTypes{
    "order.created",  "order.paid",    "order.expired", "order.cancelled",
    "order.refunded", "sale.sold_out", "sale.reopened",
};
constexpr std::array<std::string_view, 3> kStates{"pending", "delivered", "dead"};

OrderState state_after(EventType type) {
    switch (type) {
        case EventType::order_paid:
            return OrderState::paid;
        case EventType::order_expired:
            return OrderState::expired;
        case EventType::order_cancelled:
            return OrderState::cancelled;
        case EventType::order_refunded:
            return OrderState::refunded;
        default:
            return OrderState::pending;
    }
}

}  // namespace

std::string_view to_string(EventType type) {
    return kTypes[static_cast<std::size_t>(type)];
}

std::optional<EventType> parse_event_type(std::string_view text) {
    const auto found = std::ranges::find(kTypes, text);
    if (found == kTypes.end()) return std::nullopt;
    return static_cast<EventType>(found - kTypes.begin());
}

std::string_view to_string(DeliveryState state) {
    return kStates[static_cast<std::size_t>(state)];
}

std::optional<DeliveryState> parse_delivery_state(std::string_view text) {
    const auto found = std::ranges::find(kStates, text);
    if (found == kStates.end()) return std::nullopt;
    return static_cast<DeliveryState>(found - kStates.begin());
}

Order as_of(EventType type, Order order) {
    order.state = state_after(type);
    const bool was_paid = order.state == OrderState::paid || order.state == OrderState::refunded;
    if (!was_paid) order.paid_at.reset();
    return order;
}

std::optional<DeliveryId> DeliveryId::parse(std::string_view text) {
    const auto dash = text.find('-');
    if (dash == text.npos) return std::nullopt;
    const auto webhook = WebhookId::parse(text.substr(0, dash));
    const auto event = EventId::parse(text.substr(dash + 1));
    if (!webhook || !event) return std::nullopt;
    return DeliveryId{*webhook, *event};
}

std::string WebhookSecrets::of(WebhookId id) const {
    const auto name = id.text();
    std::array<unsigned char, 32> secret;
    crypto_generichash(secret.data(), secret.size(), bytes_of(name).data(), name.size(),
                       key_.data(), key_.size());
    return "whsec_" + to_base64url(secret);
}

}  // namespace sluice
