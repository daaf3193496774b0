#include "app/purchase/queued_intake.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/outage.hpp"
#include "ports/taken.hpp"

namespace sluice {
namespace {

using Fate = OrderIntake::Fate;
using Taken = OrderIntake::Taken;

}  // namespace

QueuedIntake::QueuedIntake(TicketQueue& queue, StockGate& gate, TicketLedger& ledger,
                           Options options)
    : queue_(queue),
      gate_(gate),
      ledger_(ledger),
      options_(std::move(options)),
      slots_(options_.backlog) {
    CHECK(options_.batch > 0 && options_.messages > 0 && options_.eager > 0,
          "something can be sent");
}

Task<Taken> QueuedIntake::submit(Slot slot, Ticket ticket) {
    if (options_.cluster) options_.cluster->note_own();
    auto& executor = co_await own_executor();
    auto start = [&](Completion<Taken> resume) {
        enter({std::move(slot), std::move(ticket), std::move(resume)}, executor);
    };
    co_return co_await await_completion<Taken>(std::move(start));
}

void QueuedIntake::enter(Waiter waiter, Executor& executor) {
    {
        const MutexLock lock(waiting_->mutex);
        waiting_->waiters.push_back(std::move(waiter));
        if (!may_send(*waiting_)) return;
        ++waiting_->senders;
    }
    start_task(executor, send_while_any_wait(waiting_), [](const std::exception_ptr& failure) {
        CHECK(!failure, "whoever sends throws nothing");
    });
}

bool QueuedIntake::may_send(const Waiting& waiting) const {
    if (waiting.senders >= options_.messages) return false;
    return waiting.senders < options_.eager || waiting.waiters.size() >= options_.batch;
}

/// Uses the intake only while some ticket waits: afterwards the intake may be destroyed.
Task<> QueuedIntake::send_while_any_wait(std::shared_ptr<Waiting> waiting) {
    for (;;) {
        std::vector<Waiter> taken;
        {
            const MutexLock lock(waiting->mutex);
            auto& waiters = waiting->waiters;
            if (waiters.empty()) {
                --waiting->senders;
                co_return;
            }
            while (!waiters.empty() && taken.size() < options_.batch) {
                taken.push_back(std::move(waiters.front()));
                waiters.pop_front();
            }
        }
        co_await send(std::move(taken));
    }
}

Task<> QueuedIntake::send(std::vector<Waiter> waiters) {
    std::vector<Ticket> tickets;
    for (const auto& waiter : waiters) tickets.push_back(waiter.ticket);
    auto marked = co_await queue(tickets);
    std::ranges::sort(marked);
    std::map<TicketId, Taken> outcomes;
    std::vector<Ticket> others;
    for (auto& ticket : tickets) {
        if (std::ranges::binary_search(marked, ticket.id))
            outcomes.emplace(ticket.id, as_queued(ticket));
        else
            others.push_back(std::move(ticket));
    }
    if (!others.empty())
        for (auto& taken : co_await note(std::move(others)))
            outcomes.emplace(taken.own.id, std::move(taken));
    for (auto& [slot, ticket, resume] : waiters) {
        // The slot is free before the buyer is told.
        {
            const auto freed = std::move(slot);
        }
        resume(nullptr, outcomes.at(ticket.id));
    }
}

/// The tickets that may be promised as queued.
Task<std::vector<TicketId>> QueuedIntake::queue(std::vector<Ticket> tickets) {
    std::vector<StockGate::ClaimName> claims;
    for (const auto& ticket : tickets) claims.emplace_back(ticket);
    if (!co_await queue_.post(std::move(tickets))) co_return std::vector<TicketId>{};
    try {
        auto marked = co_await gate_.hand_off(std::move(claims));
        co_return marked;
    } catch (const Outage&) {  // perhaps marked: nobody may promise it
    } catch (const Overload&) {
    }
    co_return std::vector<TicketId>{};
}

/// What the journal says of the tickets that were not queued.
Task<std::vector<Taken>> QueuedIntake::note(std::vector<Ticket> tickets) {
    std::vector<Taken> outcomes;
    for (const auto& ticket : tickets) outcomes.push_back(without_row(ticket, Fate::unknown));
    try {
        const auto noted = co_await ledger_.prepare(tickets);
        for (std::size_t i = 0; i < noted.size(); ++i) {
            if (noted[i])
                outcomes[i] = *noted[i];
            else
                options_.on_failure(tickets[i], noted[i].error());
        }
    } catch (const Outage&) {  // the outcome is unknown
    } catch (const Overload&) {
    }
    co_return outcomes;
}

}  // namespace sluice
