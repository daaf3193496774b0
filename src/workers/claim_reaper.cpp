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

Task<> ClaimReaper::conclude(std::vector<Ticket> tickets, std::vector<TicketRecord> records) {
    std::map<TicketId, std::int64_t> epochs;
    for (const auto& ticket : tickets) epochs.emplace(ticket.id, ticket.epoch);
    std::vector<ClaimSettler::Decided> decided;
    for (const auto& record : records)
        decided.push_back({.claim = {record.id, epochs[record.id]}, .state = record.state});
    co_await settler_.conclude(std::move(decided));
}

}  // namespace sluice
