#include "workers/hand_off_audit.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/outage.hpp"

namespace sluice {

Task<HandOffs> HandOffAudit::look(std::optional<SaleId> sale) {
    HandOffs first;
    auto tickets = co_await handed_off(sale);
    auto missing = co_await sort_out(std::move(tickets), first);
    if (missing.empty()) {
        is_queue_empty(first);
        co_return first;
    }
    first.queued = static_cast<std::int64_t>(missing.size());
    if (!is_queue_empty(first)) co_return first;
    co_await pause_();
    HandOffs found;
    auto still_open = co_await handed_off(sale);
    auto still_missing = co_await sort_out(std::move(still_open), found);
    // Tickets that were handed off meanwhile may be anywhere.
    std::set<TicketId> missed;
    for (const auto& ticket : missing) missed.insert(ticket.id);
    for (auto& ticket : still_missing) {
        if (missed.contains(ticket.id))
            found.lost.push_back(std::move(ticket));
        else
            ++found.queued;
    }
    if (is_queue_empty(found)) co_return found;
    found.queued += static_cast<std::int64_t>(found.lost.size());
    found.lost.clear();
    co_return found;
}

Task<std::vector<Ticket>> HandOffAudit::handed_off(std::optional<SaleId> sale) {
    auto tickets = co_await gate_.handed_off(clock_.now() - kPatience);
    if (sale) std::erase_if(tickets, [&](const Ticket& each) { return each.id.sale != *sale; });
    co_return tickets;
}

/// Tickets of which the ledger has no row at all.
Task<std::vector<Ticket>> HandOffAudit::sort_out(std::vector<Ticket> tickets, HandOffs& found) {
    if (tickets.empty()) co_return tickets;
    const auto parked = co_await all_parked();
    std::map<TicketId, TicketState> states;
    for (std::size_t i = 0; i < tickets.size(); i += kAtOnce) {
        const auto end = std::min(i + kAtOnce, tickets.size());
        std::vector<Ticket> bite(tickets.begin() + static_cast<std::ptrdiff_t>(i),
                                 tickets.begin() + static_cast<std::ptrdiff_t>(end));
        for (const auto& record : co_await orders_.tickets(std::move(bite)))
            states.emplace(record.id, record.state);
    }
    std::vector<Ticket> missing;
    for (auto& ticket : tickets) {
        const auto known = states.find(ticket.id);
        if (known != states.end() && known->second != TicketState::prepared)
            ++found.decided;
        else if (parked.contains(ticket.id))
            ++found.parked;
        else if (known != states.end())
            ++found.prepared;
        else
            missing.push_back(std::move(ticket));
    }
    co_return missing;
}

Task<std::set<TicketId>> HandOffAudit::all_parked() {
    std::set<TicketId> parked;
    std::optional<TicketId> after;
    for (;;) {
        const auto page = co_await parked_.list(after, kAtOnce);
        for (const auto& each : page) parked.insert(each.ticket.id);
        if (page.size() < kAtOnce) co_return parked;
        // If the last one was taken off meanwhile, the list would begin again.
        const auto last = page.back().ticket.id;
        const auto is_parked = co_await parked_.find(last);
        if (!is_parked) co_return parked;
        after = last;
    }
}

/// Without a broker nothing waits in one.
bool HandOffAudit::is_queue_empty(HandOffs& found) const {
    if (!count_) return true;
    try {
        found.messages = count_();
        return found.messages == 0;
    } catch (const Outage& away) {
        found.failure = away.what();
        return false;
    }
}

}  // namespace sluice
