#include "adapters/sql/ledgers/webhooks.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/receipts.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/webhook_rows.hpp"
#include "base/check.hpp"
#include "domain/deed_details.hpp"

namespace sluice::ledgers {
namespace {

std::vector<Webhook> list_webhooks(Database& database) {
    auto webhooks = database.rows<WebhookRow>(sql::list_webhooks).to_vector(to_webhook);
    for (auto& webhook : webhooks) {
        webhook.events = database.rows<EventType>(sql::list_webhook_wants, webhook.id).to_vector();
        std::ranges::sort(webhook.events);
    }
    return webhooks;
}

bool has_webhook(Database& database, WebhookId id) {
    return database.has_row(sql::find_webhook, id);
}

Outcome<Done> add_webhook(Database& database, const Webhook& webhook, const Deed& deed) {
    if (auto no = why_no_further_webhook(database.value<std::size_t>(sql::count_webhooks)))
        return std::unexpected(std::move(*no));
    database.run(sql::add_webhook, webhook.id, webhook.url, webhook.created_at);
    for (const auto type : webhook.events) database.run(sql::add_webhook_want, type, webhook.id);
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

std::vector<Delivery> list_deliveries(Database& database, WebhookId webhook,
                                      std::optional<DeliveryState> state, EventId below,
                                      std::size_t limit) {
    const auto read = [&](std::string_view query, const auto&... values) {
        return database.rows<DeliveryRow>(query, webhook, below, values...).to_vector(to_delivery);
    };
    if (state == DeliveryState::pending) return read(sql::list_pending_deliveries, limit);
    if (state == DeliveryState::dead) return read(sql::list_dead_deliveries, limit);
    return read(sql::list_deliveries, state, limit);
}

std::optional<Delivery> find_delivery(Database& database, DeliveryId id) {
    if (!has_webhook(database, id.webhook)) return std::nullopt;
    return database.row<DeliveryRow>(sql::find_delivery, id.webhook, id.event)
        .transform(to_delivery);
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

WebhookLedger::DueDelivery read_due(Database& database, const DueDeliveryRow& row) {
    auto due = to_due_delivery(row);
    if (const auto id = order_of_lane(row.lane)) {
        auto order = find_order(database, *id, std::nullopt);
        if (order) due.event.order = for_event(due.event.type, std::move(*order));
    }
    return due;
}

WebhookLedger::Receiver read_receiver(Database& database, Webhook webhook, Timestamp now,
                                      std::size_t limit) {
    WebhookLedger::Receiver receiver;
    for (const auto& row :
         database.rows<DueDeliveryRow>(sql::list_due_deliveries, webhook.id, now, limit))
        receiver.due.push_back(read_due(database, row));
    receiver.next =
        database.value<std::optional<Timestamp>>(sql::next_due_delivery, webhook.id, now);
    receiver.webhook = std::move(webhook);
    return receiver;
}

Done note_attempt(Database& database, DeliveryId id, const WebhookLedger::Attempt& attempt) {
    const auto noted = database.run(sql::note_attempt, id.webhook, id.event, attempt.state,
                                    attempt.at, attempt.again, attempt.status, attempt.error);
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
    const auto webhooks =
        database.rows<std::tuple<WebhookId, bool>>(sql::list_webhooks_to_prune).to_vector();
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
        return to_backlog(database.value<BacklogRow>(sql::count_pending_deliveries));
    });
}

Task<std::size_t> Webhooks::prune(Timestamp delivered_before, Timestamp dead_before,
                                  std::size_t limit) {
    return writer_.write<std::size_t>([delivered_before, dead_before, limit](Database& database) {
        return prune_outbox(database, delivered_before, dead_before, limit);
    });
}

}  // namespace sluice::ledgers
