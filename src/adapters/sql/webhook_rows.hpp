#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "adapters/sql/catalog_rows.hpp"
#include "base/timestamp.hpp"
#include "domain/webhook.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {

/// An event's id begins with its time in milliseconds, so everything that happened before an
/// instant has a smaller id than this.
std::int64_t first_event_at(Timestamp time);
Timestamp time_of(EventId id);

/// The events of one order, or of one sale, are delivered to a webhook one after the other: they
/// share a lane. Its number is the order's id, or the negative of the sale's id.
std::optional<OrderId> order_of_lane(std::int64_t lane);
std::optional<SaleId> sale_of_lane(std::int64_t lane);

struct WebhookRow {
    WebhookId id;
    std::string url;
    Timestamp created_at;
};
/// Without its events, which stand in a table of their own.
Webhook to_webhook(WebhookRow row);

struct DeliveryRow {
    WebhookId webhook;
    EventId event;
    EventType type = EventType::order_created;
    std::int64_t lane = 0;
    Timestamp at;
    DeliveryState state = DeliveryState::pending;
    std::int64_t attempts = 0;
    std::optional<Timestamp> due_at;
    std::optional<Timestamp> tried_at;
    std::optional<std::int64_t> last_status;
    std::optional<std::string> last_error;
    std::optional<Timestamp> delivered_at;
};
Delivery to_delivery(DeliveryRow row);

struct DueDeliveryRow {
    EventId event;
    std::int64_t attempts = 0;
    Timestamp since;
    Timestamp at;
    EventType type = EventType::order_created;
    std::int64_t lane = 0;
    std::optional<StockRow> stock;
};
/// Without the order, which stands in a table of its own.
WebhookLedger::DueDelivery to_due_delivery(const DueDeliveryRow& row);

struct BacklogRow {
    std::size_t pending = 0;
    std::optional<EventId> oldest;
};
WebhookLedger::Backlog to_backlog(const BacklogRow& row);

}  // namespace sluice
