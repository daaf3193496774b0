#include "adapters/sqlite/ledgers/webhooks.hpp"

#include <algorithm>
#include <limits>

#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/orders.hpp"
#include "adapters/sqlite/ledgers/receipts.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"
#include "base/check.hpp"
#include "domain/deed_details.hpp"

namespace sluice::sqlite {
namespace {

/// As the view next_webhook_event makes them: what happened before an instant has a lesser id.
constexpr int kEventBits = 20;

std::int64_t first_event_at(Timestamp time) {
    return to_millis(time) << kEventBits;
}

EventType read_type(const std::string& text) {
    const auto type = parse_event_type(text);
    CHECK(type.has_value(), "the schema lists what can be wanted");
    return *type;
}

Webhook read_webhook(Database& database, const Statement& row) {
    Webhook webhook{.id = row.column<WebhookId>(0),
                    .url = row.column<std::string>(1),
                    .events = {},
                    .created_at = row.column<Timestamp>(2)};
    auto wants = database.query(sql::list_webhook_wants, webhook.id);
    while (wants.step()) webhook.events.push_back(read_type(wants.column<std::string>(0)));
    std::ranges::sort(webhook.events);
    return webhook;
}

std::vector<Webhook> list_webhooks(Database& database) {
    std::vector<Webhook> webhooks;
    auto rows = database.query(sql::list_webhooks);
    while (rows.step()) webhooks.push_back(read_webhook(database, rows));
    return webhooks;
}

bool has_webhook(Database& database, WebhookId id) {
    return database.query(sql::find_webhook, id).step();
}

Outcome<Done> add_webhook(Database& database, const Webhook& webhook, const Deed& deed) {
    auto count = database.query(sql::count_webhooks);
    count.step();
    if (count.column<std::int64_t>(0) >= static_cast<std::int64_t>(WebhookLedger::kMostWebhooks))
        return refuse(Reason::conflict, Detail::too_many_webhooks);
    database.run(sql::add_webhook, webhook.id, webhook.url, webhook.created_at);
    for (const auto type : webhook.events)
        database.run(sql::add_webhook_want, to_string(type), webhook.id);
    add_deed(database, deed);
    return Done{};
}

Outcome<Done> remove_webhook(Database& database, WebhookId id, const Deed& deed) {
    if (!has_webhook(database, id)) return refuse(Reason::not_found);
    database.run(sql::drop_webhook_wants, id);
    database.run(sql::delete_webhook, id, deed.at);
    add_deed(database, deed);
    return Done{};
}

std::optional<OrderId> order_of_lane(std::int64_t lane) {
    return lane > 0 ? std::optional(OrderId{lane}) : std::nullopt;
}

std::optional<SaleId> sale_of_lane(std::int64_t lane) {
    return lane < 0 ? std::optional(SaleId{-lane}) : std::nullopt;
}

Delivery read_delivery(const Statement& row) {
    const auto state = parse_delivery_state(row.column<std::string>(5));
    CHECK(state.has_value(), "the schema lists the states");
    const auto lane = row.column<std::int64_t>(3);
    return {.id = {row.column<WebhookId>(0), row.column<EventId>(1)},
            .type = read_type(row.column<std::string>(2)),
            .order = order_of_lane(lane),
            .sale = sale_of_lane(lane),
            .created_at = row.column<Timestamp>(4),
            .state = *state,
            .attempts = row.column<std::int64_t>(6),
            .next_attempt_at = row.column<std::optional<Timestamp>>(7),
            .last_attempt_at = row.column<std::optional<Timestamp>>(8),
            .last_status = row.column<std::optional<std::int64_t>>(9),
            .last_error = row.column<std::optional<std::string>>(10),
            .delivered_at = row.column<std::optional<Timestamp>>(11)};
}

std::vector<Delivery> read_deliveries(Statement rows) {
    std::vector<Delivery> deliveries;
    while (rows.step()) deliveries.push_back(read_delivery(rows));
    return deliveries;
}

std::vector<Delivery> list_deliveries(Database& database, WebhookId webhook,
                                      std::optional<DeliveryState> state, EventId below,
                                      std::size_t limit) {
    if (state == DeliveryState::pending)
        return read_deliveries(database.query(sql::list_pending_deliveries, webhook, below, limit));
    if (state == DeliveryState::dead)
        return read_deliveries(database.query(sql::list_dead_deliveries, webhook, below, limit));
    const auto wanted = state ? std::optional(to_string(*state)) : std::nullopt;
    return read_deliveries(database.query(sql::list_deliveries, webhook, below, wanted, limit));
}

std::optional<Delivery> find_delivery(Database& database, DeliveryId id) {
    if (!has_webhook(database, id.webhook)) return std::nullopt;
    auto row = database.query(sql::find_delivery, id.webhook, id.event);
    if (!row.step()) return std::nullopt;
    return read_delivery(row);
}

Outcome<Delivery> resend_delivery(Database& database, DeliveryId id, Deed deed) {
    const auto before = find_delivery(database, id);
    if (!before) return refuse(Reason::not_found);
    database.run(sql::resend_delivery, id.webhook, id.event, deed.at);
    database.run(sql::hold_later_deliveries, id.webhook, id.event);
    auto after = find_delivery(database, id);
    CHECK(after.has_value(), "it was there just now");
    deed.before = deed_details(*before);
    deed.after = deed_details(*after);
    add_deed(database, deed);
    return std::move(*after);
}

WebhookLedger::DueDelivery read_due(Database& database, const Statement& row) {
    const auto lane = row.column<std::int64_t>(5);
    WebhookLedger::DueDelivery due;
    due.attempts = row.column<std::int64_t>(1);
    due.since = row.column<Timestamp>(2);
    due.event.id = row.column<EventId>(0);
    due.event.at = row.column<Timestamp>(3);
    due.event.type = read_type(row.column<std::string>(4));
    due.event.sale = sale_of_lane(lane);
    due.event.stock = {.total = row.column<std::int64_t>(6),
                       .left = row.column<std::int64_t>(7),
                       .held = row.column<std::int64_t>(8),
                       .sold = row.column<std::int64_t>(9)};
    if (const auto id = order_of_lane(lane)) {
        auto order = find_order(database, *id, std::nullopt);
        if (order) due.event.order = as_of(due.event.type, std::move(*order));
    }
    return due;
}

WebhookLedger::Receiver read_receiver(Database& database, Webhook webhook, Timestamp now,
                                      std::size_t limit) {
    WebhookLedger::Receiver receiver;
    auto rows = database.query(sql::list_due_deliveries, webhook.id, now, limit);
    while (rows.step()) receiver.due.push_back(read_due(database, rows));
    auto next = database.query(sql::next_due_delivery, webhook.id, now);
    if (next.step()) receiver.next = next.column<std::optional<Timestamp>>(0);
    receiver.webhook = std::move(webhook);
    return receiver;
}

Done note_attempt(Database& database, DeliveryId id, const WebhookLedger::Attempt& attempt) {
    const auto noted =
        database.run(sql::note_attempt, id.webhook, id.event, to_string(attempt.state), attempt.at,
                     attempt.again, attempt.status, attempt.error);
    if (noted == 1 && attempt.state != DeliveryState::pending)
        database.run(sql::release_lane, id.webhook, id.event, attempt.at);
    return {};
}

std::size_t prune_webhook(Database& database, WebhookId id, Timestamp delivered_before,
                          Timestamp dead_before, std::size_t limit) {
    std::size_t removed = 0;
    for (const auto& [prune, before] : {std::pair(sql::prune_delivered, delivered_before),
                                        std::pair(sql::prune_dead, dead_before)}) {
        const auto below = first_event_at(before);
        const auto some = database.run(prune, id, below, limit - removed);
        if (some > 0) database.run(sql::note_pruned, id, below);
        removed += some;
    }
    return removed;
}

std::size_t prune_outbox(Database& database, Timestamp delivered_before, Timestamp dead_before,
                         std::size_t limit) {
    std::vector<std::pair<WebhookId, bool>> webhooks;
    auto rows = database.query(sql::list_webhooks_to_prune);
    while (rows.step()) webhooks.emplace_back(rows.column<WebhookId>(0), rows.column<bool>(1));
    std::size_t removed = 0;
    for (const auto& [id, deleted] : webhooks) {
        const auto room = limit - removed;
        removed += deleted ? database.run(sql::prune_deliveries_of_deleted, id, room)
                           : prune_webhook(database, id, delivered_before, dead_before, room);
        if (deleted) database.run(sql::forget_webhook, id);
    }
    return removed;
}

}  // namespace

Task<Outcome<Created>> Webhooks::add(Webhook webhook, Deed deed, std::optional<Receipt> receipt) {
    return writer_.write<Outcome<Created>>([webhook = std::move(webhook), deed = std::move(deed),
                                            receipt = std::move(receipt)](Database& database) {
        return create_once(database, receipt, [&] { return add_webhook(database, webhook, deed); });
    });
}

Task<std::vector<Webhook>> Webhooks::list() {
    return readers_.read<std::vector<Webhook>>(
        [](Database& database) { return list_webhooks(database); });
}

Task<Outcome<Done>> Webhooks::remove(WebhookId id, Deed deed) {
    return writer_.write<Outcome<Done>>([id, deed = std::move(deed)](Database& database) {
        return remove_webhook(database, id, deed);
    });
}

Task<Outcome<std::vector<Delivery>>> Webhooks::deliveries(WebhookId webhook,
                                                          std::optional<DeliveryState> state,
                                                          std::optional<EventId> before,
                                                          std::size_t limit) {
    const auto below = before.value_or(EventId{std::numeric_limits<std::int64_t>::max()});
    return readers_.read<Outcome<std::vector<Delivery>>>(
        [webhook, state, below, limit](Database& database) -> Outcome<std::vector<Delivery>> {
            if (!has_webhook(database, webhook)) return refuse(Reason::not_found);
            return list_deliveries(database, webhook, state, below, limit);
        });
}

Task<Outcome<Delivery>> Webhooks::resend(DeliveryId id, Deed deed) {
    return writer_.write<Outcome<Delivery>>([id, deed = std::move(deed)](Database& database) {
        return resend_delivery(database, id, deed);
    });
}

Task<std::vector<WebhookLedger::Receiver>> Webhooks::due(Timestamp now, std::size_t limit) {
    return readers_.read<std::vector<Receiver>>([now, limit](Database& database) {
        std::vector<Receiver> receivers;
        for (auto& webhook : list_webhooks(database))
            receivers.push_back(read_receiver(database, std::move(webhook), now, limit));
        return receivers;
    });
}

Task<Done> Webhooks::note(DeliveryId id, Attempt attempt) {
    return writer_.write<Done>([id, attempt = std::move(attempt)](Database& database) {
        return note_attempt(database, id, attempt);
    });
}

Task<WebhookLedger::Backlog> Webhooks::backlog() {
    return readers_.read<Backlog>([](Database& database) {
        auto row = database.query(sql::count_pending_deliveries);
        row.step();
        Backlog backlog{.pending = static_cast<std::size_t>(row.column<std::int64_t>(0)),
                        .oldest = std::nullopt};
        if (backlog.pending > 0)
            backlog.oldest = from_millis(row.column<std::int64_t>(1) >> kEventBits);
        return backlog;
    });
}

Task<std::size_t> Webhooks::prune(Timestamp delivered_before, Timestamp dead_before,
                                  std::size_t limit) {
    return writer_.write<std::size_t>([delivered_before, dead_before, limit](Database& database) {
        return prune_outbox(database, delivered_before, dead_before, limit);
    });
}

}  // namespace sluice::sqlite
