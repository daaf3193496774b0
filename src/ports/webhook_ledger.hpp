#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/webhook.hpp"
#include "ports/receipt.hpp"

namespace sluice {

/// Who is told of orders and sales, and the outbox of events. An event and its deliveries, one for
/// each webhook that wants it then, are written in the transaction of the change. The deliveries of
/// one order to one webhook wait for each other. May throw Outage, as UserLedger.
class WebhookLedger {
  public:
    virtual ~WebhookLedger() = default;

    /// Refuses with conflict when there are kMostWebhooks already.
    virtual Task<Outcome<Created>> add(Webhook webhook, Deed deed,
                                       std::optional<Receipt> receipt) = 0;
    /// The newest first.
    virtual Task<std::vector<Webhook>> list() = 0;
    /// It gets nothing more, not even what was pending. Refuses with not_found.
    virtual Task<Outcome<Done>> remove(WebhookId id, Deed deed) = 0;

    /// The newest first, older than `before` when given. Refuses with not_found.
    virtual Task<Outcome<std::vector<Delivery>>> deliveries(WebhookId webhook,
                                                            std::optional<DeliveryState> state,
                                                            std::optional<EventId> before,
                                                            std::size_t limit) = 0;

    /// Makes it pending again, whatever it was, as if it had happened at `deed.at`. Refuses with
    /// not_found. The ledger writes into the deed what the delivery was before and is after.
    virtual Task<Outcome<Delivery>> resend(DeliveryId id, Deed deed) = 0;

    struct DueDelivery {
        WebhookEvent event;
        std::int64_t attempts = 0;
        Timestamp since;  // it is given up this long after the event
    };
    struct Receiver {
        Webhook webhook;
        std::vector<DueDelivery> due;   // at most `limit`, the longest due first
        std::optional<Timestamp> next;  // when the next delivery is due that is not due yet
    };
    /// All webhooks, with the deliveries that are to be tried at `now`.
    virtual Task<std::vector<Receiver>> due(Timestamp now, std::size_t limit) = 0;

    struct Attempt {
        Timestamp at;
        DeliveryState state = DeliveryState::delivered;  // what it is from now on
        std::optional<Timestamp> again;                  // when it is still pending
        std::optional<std::int64_t> status;
        std::optional<std::string> error;
    };
    /// Notes an attempt. When a delivery is delivered or dead, the next one of its order may go.
    /// Nothing happens when the delivery is not pending any more.
    virtual Task<Done> note(DeliveryId id, Attempt attempt) = 0;

    struct Backlog {
        std::size_t pending = 0;
        std::optional<Timestamp> oldest;
    };
    virtual Task<Backlog> backlog() = 0;

    /// Removes deliveries of events from before these instants, all that is left of deleted
    /// webhooks, and events without deliveries: at most `limit` of each; returns how many.
    virtual Task<std::size_t> prune(Timestamp delivered_before, Timestamp dead_before,
                                    std::size_t limit) = 0;
};

}  // namespace sluice
