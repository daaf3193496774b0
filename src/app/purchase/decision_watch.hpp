#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "base/nap.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// Waits with buyers for what comes of their queued tickets. All who wait at this node share one
/// look at the journal, several times a second. Safe from any thread.
class DecisionWatch {
  public:
    static constexpr std::chrono::milliseconds kPause{100};
    static constexpr std::size_t kAtOnce = 256;

    explicit DecisionWatch(OrderLedger& ledger) : ledger_(ledger) {}

    /// The ticket as it is once it is decided, or when the time is over. It may be queued then;
    /// what the buyer was promised holds in both cases.
    Task<TicketRecord> wait(TicketRecord queued, UserId buyer, std::chrono::milliseconds longest);

    /// To be called each kPause, one call at a time. May throw Outage: then whoever waits goes on
    /// waiting.
    Task<> look();

    std::size_t waiting() const;

  private:
    /// One who waits.
    struct Waiter {
        Executor& loop;
        const UserId buyer;
        Nap nap{};  // of the loop's thread
        std::optional<TicketRecord> decided{};
    };
    using Waiters = std::multimap<TicketId, std::shared_ptr<Waiter>>;

    std::optional<TicketRecord> leave(const TicketId& id, const std::shared_ptr<Waiter>& waiter);
    std::vector<Ticket> undecided() const;
    void tell(const TicketId& id, const TicketRecord& decided);

    OrderLedger& ledger_;
    mutable Mutex mutex_;
    Waiters waiters_ GUARDED_BY(mutex_);
};

}  // namespace sluice
