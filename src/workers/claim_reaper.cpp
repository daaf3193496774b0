#include "workers/claim_reaper.hpp"

namespace sluice {

Task<> ClaimReaper::reap_once() {
    auto condemned = co_await gate_.condemn(clock_.now() - kPatience);
    if (condemned.empty()) co_return;
    const auto records = co_await ledger_.fence(std::move(condemned));
    std::vector<TicketId> committed, rolled_back;
    for (const auto& record : records) {
        if (record.state == TicketState::committed) committed.push_back(record.id);
        if (record.state == TicketState::rolled_back) rolled_back.push_back(record.id);
    }
    co_await gate_.settle(std::move(committed));
    co_await gate_.release(std::move(rolled_back), StockGate::Ground::rolled_back);
}

}  // namespace sluice
