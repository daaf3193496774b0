#include "workers/claim_reaper.hpp"

#include <map>
#include <utility>

namespace sluice {

Task<> ClaimReaper::reap_once() {
    auto condemned = co_await gate_.condemn(clock_.now() - kPatience);
    if (condemned.empty()) co_return;
    std::map<TicketId, std::int64_t> epochs;
    for (const auto& ticket : condemned) epochs.emplace(ticket.id, ticket.epoch);
    const auto fenced = co_await ledger_.fence(std::move(condemned));
    const auto first = fenced.stuck.empty() ? std::nullopt : std::optional(fenced.stuck.front());
    if (first && std::exchange(told_of_, first) != first)
        log_.error("ticket.stuck", {{"tickets", fenced.stuck.size()},
                                    {"first", first->text()},
                                    {"reason", "its rows do not fit together; run sluice audit"}});
    std::vector<StockGate::ClaimName> committed, rolled_back;
    for (const auto& record : fenced.records) {
        const StockGate::ClaimName claim(record.id, epochs[record.id]);
        if (record.state == TicketState::committed) committed.push_back(claim);
        if (record.state == TicketState::rolled_back) rolled_back.push_back(claim);
    }
    co_await gate_.settle(std::move(committed));
    co_await gate_.release(std::move(rolled_back), StockGate::Ground::rolled_back);
}

}  // namespace sluice
