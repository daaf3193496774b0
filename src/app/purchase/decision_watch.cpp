#include "app/purchase/decision_watch.hpp"

#include <algorithm>
#include <span>

namespace sluice {

Task<TicketRecord> DecisionWatch::wait(TicketRecord queued, UserId buyer,
                                       std::chrono::milliseconds longest) {
    if (longest <= std::chrono::milliseconds::zero()) co_return queued;
    auto& loop = co_await own_executor();
    const auto waiter = std::make_shared<Waiter>(loop, buyer);
    {
        const MutexLock lock(mutex_);
        waiters_.emplace(queued.id, waiter);
    }
    co_await waiter->nap.sleep(longest);
    auto decided = leave(queued.id, waiter);
    co_return decided ? std::move(*decided) : std::move(queued);
}

std::optional<TicketRecord> DecisionWatch::leave(const TicketId& id,
                                                 const std::shared_ptr<Waiter>& waiter) {
    const MutexLock lock(mutex_);
    const auto [first, last] = waiters_.equal_range(id);
    const auto own = std::ranges::find(first, last, waiter, &Waiters::value_type::second);
    waiters_.erase(own);
    return std::move(waiter->decided);
}

Task<> DecisionWatch::look() {
    const auto all = undecided();
    for (std::span left(all); !left.empty();) {
        const auto some = left.first(std::min(left.size(), kAtOnce));
        left = left.subspan(some.size());
        const auto records = co_await ledger_.tickets({some.begin(), some.end()});
        for (const auto& record : records) {
            if (record.state == TicketState::prepared) continue;
            if (!record.same_as) {
                tell(record.id, record);
                continue;
            }
            const auto asked = std::ranges::find(some, record.id, &Ticket::id);
            const auto answer = co_await ledger_.ticket(record.id, asked->buyer);
            if (answer) tell(record.id, *answer);
        }
    }
}

/// Each once, also when several wait for it.
std::vector<Ticket> DecisionWatch::undecided() const {
    std::vector<Ticket> tickets;
    const MutexLock lock(mutex_);
    for (const auto& [id, waiter] : waiters_) {
        if (waiter->decided || (!tickets.empty() && tickets.back().id == id)) continue;
        Ticket ticket;
        ticket.id = id;
        ticket.buyer = waiter->buyer;
        tickets.push_back(ticket);
    }
    return tickets;
}

void DecisionWatch::tell(const TicketId& id, const TicketRecord& decided) {
    const MutexLock lock(mutex_);
    const auto [first, last] = waiters_.equal_range(id);
    for (auto at = first; at != last; ++at) {
        const auto& waiter = at->second;
        waiter->decided = decided;
        waiter->loop.post([waiter] { waiter->nap.end(); });
    }
}

std::size_t DecisionWatch::waiting() const {
    const MutexLock lock(mutex_);
    return waiters_.size();
}

}  // namespace sluice
