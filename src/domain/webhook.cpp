#include "domain/webhook.hpp"

#include <algorithm>

#include <sodium.h>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "base/names.hpp"

namespace sluice {
namespace {

constexpr Names<EventType::sale_reopened> kTypes({{EventType::order_created, "order.created"},
                                                  {EventType::order_paid, "order.paid"},
                                                  {EventType::order_expired, "order.expired"},
                                                  {EventType::order_cancelled, "order.cancelled"},
                                                  {EventType::order_refunded, "order.refunded"},
                                                  {EventType::sale_sold_out, "sale.sold_out"},
                                                  {EventType::sale_reopened, "sale.reopened"}});
static_assert(kTypes.kCount == kEventTypes);
constexpr Names<DeliveryState::dead> kDeliveryStates({{DeliveryState::pending, "pending"},
                                                      {DeliveryState::delivered, "delivered"},
                                                      {DeliveryState::dead, "dead"}});

OrderState state_after(EventType type) {
    switch (type) {
        case EventType::order_created:
            return OrderState::pending;
        case EventType::order_paid:
            return OrderState::paid;
        case EventType::order_expired:
            return OrderState::expired;
        case EventType::order_cancelled:
            return OrderState::cancelled;
        case EventType::order_refunded:
            return OrderState::refunded;
        case EventType::sale_sold_out:
        case EventType::sale_reopened:
            break;
    }
    CHECK(false, "the event is one of an order");
}

}  // namespace

std::string_view to_string(EventType type) {
    return kTypes.text(type);
}

std::optional<EventType> parse_event_type(std::string_view text) {
    return kTypes.parse(text);
}

std::string_view to_string(DeliveryState state) {
    return kDeliveryStates.text(state);
}

std::optional<DeliveryState> parse_delivery_state(std::string_view text) {
    return kDeliveryStates.parse(text);
}

Order for_event(EventType type, Order order) {
    order.state = state_after(type);
    const bool was_paid = order.state == OrderState::paid || order.state == OrderState::refunded;
    if (!was_paid) order.paid_at.reset();
    return order;
}

std::optional<Refusal> why_no_further_webhook(std::size_t count) {
    if (count >= kMostWebhooks) return Refusal{Reason::conflict, Detail::too_many_webhooks};
    return std::nullopt;
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
