#include "workers/claim_reaper.hpp"

#include <map>
#include <utility>

namespace sluice {

Task<> ClaimReaper::reap_once() {
    const auto before = clock_.now() - kPatience;
    auto condemned = co_await gate_.condemn(before);
    if (!condemned.empty()) co_await fence(std::move(condemned));
    auto handed_off = co_await gate_.handed_off(before);
    if (handed_off.empty()) co_return;
    auto tickets = handed_off;
    const auto records = co_await ledger_.tickets(std::move(tickets));
    co_await conclude(std::move(handed_off), records);
}

Task<> ClaimReaper::fence(std::vector<Ticket> condemned) {
    auto tickets = condemned;
    const auto fenced = co_await ledger_.fence(std::move(tickets));
    const auto first = fenced.stuck.empty() ? std::nullopt : std::optional(fenced.stuck.front());
    if (first && std::exchange(told_of_, first) != first)
        log_.error("ticket.stuck", {{"tickets", fenced.stuck.size()},
                                    {"first", first->text()},
                                    {"reason", "its rows do not fit together; run sluice audit"}});
    co_await conclude(std::move(condemned), fenced.records);
}

/// By what the journal says; a prepared one is left to the writer.
Task<> ClaimReaper::conclude(std::vector<Ticket> tickets, std::vector<TicketRecord> records) {
    std::map<TicketId, std::int64_t> epochs;
    for (const auto& ticket : tickets) epochs.emplace(ticket.id, ticket.epoch);
    std::vector<StockGate::ClaimName> committed, rolled_back;
    for (const auto& record : records) {
        const StockGate::ClaimName claim(record.id, epochs[record.id]);
        if (record.state == TicketState::committed) committed.push_back(claim);
        if (record.state == TicketState::rolled_back) rolled_back.push_back(claim);
    }
    const auto missed = co_await gate_.settle(std::move(committed));
    for (const auto& ticket : missed) on_missed_(ticket.sale);
    co_await gate_.release(std::move(rolled_back));
}

}  // namespace sluice
