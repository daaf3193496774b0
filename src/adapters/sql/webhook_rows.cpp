#include "adapters/sql/webhook_rows.hpp"

#include <utility>

namespace sluice {
namespace {

/// As the view next_webhook_event makes them.
constexpr int kEventBits = 20;

}  // namespace

std::int64_t first_event_at(Timestamp time) {
    return to_millis(time) << kEventBits;
}

Timestamp time_of(EventId id) {
    return from_millis(id.value >> kEventBits);
}

std::optional<OrderId> order_of_lane(std::int64_t lane) {
    return lane > 0 ? std::optional(OrderId{lane}) : std::nullopt;
}

std::optional<SaleId> sale_of_lane(std::int64_t lane) {
    return lane < 0 ? std::optional(SaleId{-lane}) : std::nullopt;
}

Webhook to_webhook(WebhookRow row) {
    return {.id = row.id, .url = std::move(row.url), .events = {}, .created_at = row.created_at};
}

Delivery to_delivery(DeliveryRow row) {
    return {.id = {row.webhook, row.event},
            .type = row.type,
            .order = order_of_lane(row.lane),
            .sale = sale_of_lane(row.lane),
            .created_at = row.at,
            .state = row.state,
            .attempts = row.attempts,
            .next_attempt_at = row.due_at,
            .last_attempt_at = row.tried_at,
            .last_status = row.last_status,
            .last_error = std::move(row.last_error),
            .delivered_at = row.delivered_at};
}

WebhookLedger::DueDelivery to_due_delivery(const DueDeliveryRow& row) {
    WebhookLedger::DueDelivery due;
    due.attempts = row.attempts;
    due.since = row.since;
    due.event.id = row.event;
    due.event.type = row.type;
    due.event.at = row.at;
    due.event.sale = sale_of_lane(row.lane);
    if (row.stock) due.event.stock = to_stock(*row.stock);
    return due;
}

WebhookLedger::Backlog to_backlog(const BacklogRow& row) {
    return {.pending = row.pending, .oldest = row.oldest.transform(time_of)};
}

}  // namespace sluice
