#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/nap.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/poster.hpp"
#include "ports/random.hpp"
#include "ports/webhook_ledger.hpp"

namespace sluice {

/// Delivers to the webhooks what is in the outbox: each event at least once, signed. Events of one
/// order come in their order, since the ledger returns a later one only when the earlier is done. A
/// delivery that fails is tried again after longer and longer pauses, and is given up when it is
/// too old. Every webhook has a few places of its own, so a slow or dead one delays only itself.
class WebhookCourier {
  public:
    struct Pace {
        std::chrono::milliseconds first_pause{5'000};  // then twice as long each time
        std::chrono::milliseconds longest_pause = std::chrono::hours{1};
        std::chrono::milliseconds longest_rest = std::chrono::minutes{1};  // of a silent receiver
        std::chrono::milliseconds patience = std::chrono::hours{72};       // then it is dead
        std::size_t at_once = 8;  // to one webhook; one while it does not answer at all
    };

    /// The body of an event; nothing while its order or sale is not known here yet.
    using Describe = std::function<std::optional<std::string>(const WebhookEvent&)>;

    /// `outside`: the time that signatures show. `on_place`: called when a place has become free,
    /// so there may be more to do.
    WebhookCourier(WebhookLedger& ledger, Poster& poster, WebhookSecrets secrets, Describe describe,
                   const Clock& clock, const Clock& outside, Random& random, Log& log, Pace pace,
                   std::function<void()> on_place);

    /// Begins the deliveries that are due and have a free place, and does not wait for them.
    /// Returns how long to wait until there is more to do. May throw Outage. On one loop only, like
    /// all calls except has_receivers() and the figures.
    Task<std::chrono::milliseconds> deliver_due();

    /// Returns when nothing is under way any more. Nothing is begun from here on; a delivery
    /// without an answer after a moment is made again after the next start.
    Task<> finish();

    /// Whether there is any receiver, as of the last round. From any thread, as the calls below.
    bool has_receivers() const { return has_receivers_; }

    std::uint64_t count(DeliveryState outcome) const {
        return outcomes_[static_cast<std::size_t>(outcome)];
    }
    std::size_t backlog() const { return backlog_; }
    /// Seconds since the oldest event that is not delivered yet; 0 when there is none.
    double oldest_seconds() const;

  private:
    struct Traffic {
        std::set<EventId> under_way;
        std::set<EventId> ended;    // done since the ledger was last asked, which may return them
        bool failing = false;       // the last attempt has failed
        std::int64_t silences = 0;  // pauses in a row, since it did not answer at all
        std::optional<Timestamp> resumes;  // after no answer: nothing is begun before this time
    };

    bool has_place(const Traffic& traffic, Timestamp now) const;
    void begin(Executor& loop, const Webhook& webhook, WebhookLedger::DueDelivery due);
    void end(DeliveryId id, std::exception_ptr failure);
    Task<> deliver(Webhook webhook, WebhookLedger::DueDelivery due);
    Task<Poster::Answer> send(Webhook webhook, DeliveryId id, WebhookEvent event);
    WebhookLedger::Attempt judge(const Poster::Answer& answer,
                                 const WebhookLedger::DueDelivery& due);
    void watch(const Webhook& webhook, DeliveryId id, const Poster::Answer& answer,
               const WebhookLedger::Attempt& attempt);
    std::chrono::milliseconds pause_after(std::int64_t attempts);
    Task<> count_backlog(Timestamp now);

    WebhookLedger& ledger_;
    Poster& poster_;
    const WebhookSecrets secrets_;
    const Describe describe_;
    const Clock& clock_;
    const Clock& outside_;
    Random& random_;
    Log& log_;
    const Pace pace_;
    const std::function<void()> on_place_;

    // Used by the loop's thread only:
    std::map<WebhookId, Traffic> traffic_;
    std::size_t under_way_ = 0;
    bool finishing_ = false;
    Nap farewell_;                      // ended when the last delivery is done
    std::optional<Timestamp> resumes_;  // the ledger failed to note something: nothing until then
    std::optional<Timestamp> counted_;  // when the backlog was

    std::atomic<bool> has_receivers_ = true;  // until the ledger has said otherwise
    std::array<std::atomic<std::uint64_t>, 3> outcomes_{};
    std::atomic<std::size_t> backlog_ = 0;
    std::atomic<std::int64_t> oldest_ = 0;
};

}  // namespace sluice
