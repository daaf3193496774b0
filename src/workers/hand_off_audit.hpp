#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Where the tickets are that were handed off and whose claims are open. Their buyers were told
/// that they are queued.
struct HandOffs {
    std::int64_t decided = 0;  // the journal has their outcome; a running server ends their claims
    std::int64_t prepared = 0;
    std::int64_t parked = 0;
    std::int64_t queued = 0;                  // in the queue, as far as we can know
    std::vector<Ticket> lost;                 // nowhere
    std::int64_t messages = 0;                // in the queue
    std::optional<std::string> failure = {};  // why we cannot know more of those that are `queued`

    std::int64_t all() const {
        return decided + prepared + parked + queued + static_cast<std::int64_t>(lost.size());
    }
};

/// Finds every ticket that was handed off, while the servers work, and changes nothing.
class HandOffAudit {
  public:
    /// Tickets that were claimed later may be on their way between two places.
    static constexpr std::chrono::seconds kPatience{15};
    static constexpr std::size_t kAtOnce = 1'000;

    /// Messages that wait in the broker, as it reports now. Empty when there is no broker. May
    /// throw Outage.
    using CountMessages = std::function<std::int64_t()>;
    /// Long enough for a writer to decide what it has taken from the queue.
    using Pause = std::function<Task<>()>;

    HandOffAudit(StockGate& gate, OrderLedger& orders, ParkedLedger& parked, CountMessages count,
                 Pause pause, const Clock& clock)
        : gate_(gate),
          orders_(orders),
          parked_(parked),
          count_(std::move(count)),
          pause_(std::move(pause)),
          clock_(clock) {}

    /// For one sale or for all. A ticket is lost when the queue is empty and the ticket is in no
    /// other place, and the same is true after a pause. May throw Outage, but not for an outage of
    /// the broker.
    Task<HandOffs> look(std::optional<SaleId> sale);

  private:
    Task<std::vector<Ticket>> handed_off(std::optional<SaleId> sale);
    Task<std::vector<Ticket>> sort_out(std::vector<Ticket> tickets, HandOffs& found);
    Task<std::set<TicketId>> all_parked();
    bool is_queue_empty(HandOffs& found) const;

    StockGate& gate_;
    OrderLedger& orders_;
    ParkedLedger& parked_;
    const CountMessages count_;
    const Pause pause_;
    const Clock& clock_;
};

}  // namespace sluice
