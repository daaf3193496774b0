#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/order.hpp"
#include "domain/sale.hpp"

namespace sluice {

using WebhookId = Id<struct Webhook>;
using EventId = Id<struct WebhookEvent>;

enum class EventType {
    order_created,
    order_paid,
    order_expired,
    order_cancelled,
    order_refunded,
    sale_sold_out,
    sale_reopened,
};

inline constexpr std::size_t kEventTypes = 7;

std::string_view to_string(EventType);  // order.created, ...
std::optional<EventType> parse_event_type(std::string_view);

/// A receiver of events: an address of the shop's own, or of a partner.
struct Webhook {
    WebhookId id;
    std::string url;
    std::vector<EventType> events;  // in the order above, each once
    Timestamp created_at;
};

/// Each event costs a row for each of them.
inline constexpr std::size_t kMostWebhooks = 16;

/// Why there can be no further webhook beside so many; nullopt when there can.
std::optional<Refusal> why_no_further_webhook(std::size_t count);

/// Something that has happened, as it was then, whatever has changed since.
struct WebhookEvent {
    EventId id;
    EventType type = EventType::order_created;
    Timestamp at;
    std::optional<Order> order;  // of order.…; its state is the one of the event
    std::optional<SaleId> sale;  // of sale.…
    Stock stock;                 // of that sale
};

/// The order as it was when the event happened: only its state and its payment ever change.
Order for_event(EventType type, Order order);

/// An event on its way to one receiver.
struct DeliveryId {
    WebhookId webhook;
    EventId event;

    friend auto operator<=>(const DeliveryId&, const DeliveryId&) = default;

    std::string text() const { return webhook.text() + "-" + event.text(); }
    static std::optional<DeliveryId> parse(std::string_view text);
};

enum class DeliveryState { pending, delivered, dead };

std::string_view to_string(DeliveryState);
std::optional<DeliveryState> parse_delivery_state(std::string_view);

/// The outcome so far.
struct Delivery {
    DeliveryId id;
    EventType type = EventType::order_created;
    std::optional<OrderId> order;
    std::optional<SaleId> sale;
    Timestamp created_at;
    DeliveryState state = DeliveryState::pending;
    std::int64_t attempts = 0;
    std::optional<Timestamp> next_attempt_at;  // none: done, or behind another one of its order
    std::optional<Timestamp> last_attempt_at;
    std::optional<std::int64_t> last_status;
    std::optional<std::string> last_error;
    std::optional<Timestamp> delivered_at;
};

/// Each webhook's own secret. It is computed from the installation's key whenever it is needed, so
/// that a stolen database does not contain it.
class WebhookSecrets {
  public:
    using Key = std::array<unsigned char, 32>;

    explicit WebhookSecrets(const Key& key) : key_(key) {}

    std::string of(WebhookId id) const;

  private:
    const Key key_;
};

}  // namespace sluice
