#pragma once

#include <algorithm>
#include <functional>
#include <map>

#include "base/outage.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice::testing_support {

/// An outbox in memory, for one webhook or several: due until noted, in the order of the events.
class ScriptedOutbox final : public WebhookLedger {
  public:
    struct Entry {
        DueDelivery due;
        Timestamp due_at{};
        std::vector<Attempt> attempts;
    };
    std::vector<Webhook> webhooks;
    std::map<DeliveryId, Entry> entries;
    bool loses_notes = false;
    std::function<void()> while_asked = [] {};  // after it has looked, before it answers
    std::size_t old = 0;                        // deliveries that wait for being pruned

    void put(WebhookId webhook, EventId event, Timestamp since) {
        auto& entry = entries[{webhook, event}];
        entry.due.event.id = event;
        entry.due.since = entry.due_at = since;
    }

    Task<std::vector<Receiver>> due(Timestamp now, std::size_t limit) override {
        std::vector<Receiver> receivers;
        for (const auto& webhook : webhooks) {
            Receiver receiver;
            receiver.webhook = webhook;
            for (const auto& [id, entry] : entries) {
                if (id.webhook != webhook.id || is_done(entry)) continue;
                if (entry.due_at > now)
                    receiver.next = std::min(receiver.next.value_or(entry.due_at), entry.due_at);
                else if (receiver.due.size() < limit)
                    receiver.due.push_back(entry.due);
            }
            receivers.push_back(std::move(receiver));
        }
        while_asked();
        co_await await_completion<Done>([](Completion<Done> resume) { resume(nullptr, Done{}); });
        co_return receivers;
    }
    Task<Done> note(DeliveryId id, Attempt attempt) override {
        if (loses_notes) throw Outage("away");
        auto& entry = entries.at(id);
        ++entry.due.attempts;
        if (attempt.again) entry.due_at = *attempt.again;
        entry.attempts.push_back(std::move(attempt));
        co_return Done{};
    }
    Task<Backlog> backlog() override {
        Backlog backlog;
        for (const auto& [id, entry] : entries) {
            if (is_done(entry)) continue;
            ++backlog.pending;
            backlog.oldest = std::min(backlog.oldest.value_or(entry.due.since), entry.due.since);
        }
        co_return backlog;
    }
    Task<std::size_t> prune(Timestamp, Timestamp, std::size_t limit) override {
        const auto removed = std::min(old, limit);
        old -= removed;
        co_return removed;
    }

    Task<Outcome<Created>> add(Webhook, Deed, std::optional<Receipt>) override {
        co_return refuse(Reason::conflict);
    }
    Task<std::vector<Webhook>> list() override { co_return webhooks; }
    Task<Outcome<Done>> remove(WebhookId, Deed) override { co_return refuse(Reason::not_found); }
    Task<Outcome<std::vector<Delivery>>> deliveries(WebhookId, std::optional<DeliveryState>,
                                                    std::optional<EventId>, std::size_t) override {
        co_return refuse(Reason::not_found);
    }
    Task<Outcome<Delivery>> resend(DeliveryId, Deed) override {
        co_return refuse(Reason::not_found);
    }

  private:
    static bool is_done(const Entry& entry) {
        return !entry.attempts.empty() && entry.attempts.back().state != DeliveryState::pending;
    }
};

}  // namespace sluice::testing_support
