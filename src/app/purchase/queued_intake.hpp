#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "app/purchase/cluster_backlog.hpp"
#include "base/mutex.hpp"
#include "ports/order_intake.hpp"
#include "ports/stock_gate.hpp"
#include "ports/ticket_ledger.hpp"
#include "ports/ticket_queue.hpp"

namespace sluice {

/// Hands tickets off through a broker. All that wait at this node go into one message; once the
/// broker has confirmed it and the hot copy has marked its tickets, they are queued. A ticket that
/// was not marked, or whose message was not confirmed, goes into the journal as prepared instead:
/// its outcome is then what the journal says. If the journal cannot be reached either, the outcome
/// is unknown: the reaper takes care of the claim, and a message that arrives late meets the
/// reaper's fence.
class QueuedIntake final : public OrderIntake {
  public:
    static constexpr std::size_t kTicketsInMessage = 512;

    struct Options {
        std::size_t batch = kTicketsInMessage;
        std::size_t backlog = 8'192;   // tickets under way
        std::size_t messages = 1'000;  // under way at once
        /// Up to this many messages are sent as soon as a ticket waits. More are sent only when a
        /// whole batch waits, so that a crowd shares messages.
        std::size_t eager = 4;
        /// Counts what is under way in the whole cluster; nullptr: only what this intake has
        /// counts.
        ClusterBacklog* cluster = nullptr;
        /// Called for a ticket that the journal cannot take. Must not block or throw.
        std::function<void(const Ticket&, std::string_view reason)> on_failure =
            [](const Ticket&, std::string_view) {};
    };
    QueuedIntake(TicketQueue& queue, StockGate& gate, TicketLedger& ledger, Options options);

    std::optional<Slot> reserve() override { return slots_.reserve(); }
    Task<Taken> submit(Slot slot, Ticket ticket) override;
    /// For the whole cluster, if the options say so.
    std::size_t backlog() const override {
        return options_.cluster ? options_.cluster->count() : slots_.taken();
    }

  private:
    struct Waiter {
        Slot slot;
        Ticket ticket;
        Completion<Taken> resume;
    };
    /// Shared with the senders, so that the last of them may end after the intake.
    struct Waiting {
        Mutex mutex;
        std::deque<Waiter> waiters GUARDED_BY(mutex);
        std::size_t senders GUARDED_BY(mutex) = 0;
    };

    void enter(Waiter waiter, Executor& executor);
    bool may_send(const Waiting& waiting) const REQUIRES(waiting.mutex);
    Task<> send_while_any_wait(std::shared_ptr<Waiting> waiting);
    Task<> send(std::vector<Waiter> waiters);
    Task<std::vector<TicketId>> queue(std::vector<Ticket> tickets);
    Task<std::vector<Taken>> note(std::vector<Ticket> tickets);

    TicketQueue& queue_;
    StockGate& gate_;
    TicketLedger& ledger_;
    const Options options_;
    Slots slots_;
    const std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
};

}  // namespace sluice
