#include "workers/claim_reaper.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sluice {

Task<> ClaimReaper::reap_once() {
    const auto before = clock_.now() - kPatience;
    const auto condemned = co_await gate_.condemn(before);
    std::vector<TicketId> stuck;
    for (std::span left(condemned); !left.empty();) {
        auto absent = co_await conclude_known(next_batch(left));
        if (!absent.empty()) co_await fence(std::move(absent), stuck);
    }
    report(stuck);
    const auto handed_off = co_await gate_.handed_off(before);
    for (std::span left(handed_off); !left.empty();) co_await conclude_known(next_batch(left));
}

/// In the order in which they were given.
std::vector<Ticket> ClaimReaper::next_batch(std::span<const Ticket>& left) {
    const auto some = left.first(std::min(left.size(), kAtOnce));
    left = left.subspan(some.size());
    return {some.begin(), some.end()};
}

/// By what the journal says already: a fence is a write, which a ledger under load should be
/// spared. Returns those that it does not know.
Task<std::vector<Ticket>> ClaimReaper::conclude_known(std::vector<Ticket> tickets) {
    auto asked = tickets;
    const auto records = co_await ledger_.tickets(std::move(asked));
    std::set<TicketId> known;
    for (const auto& record : records) known.insert(record.id);
    co_await conclude(tickets, records);
    std::erase_if(tickets, [&](const Ticket& ticket) { return known.contains(ticket.id); });
    co_return tickets;
}

Task<> ClaimReaper::fence(std::vector<Ticket> absent, std::vector<TicketId>& stuck) {
    auto tickets = absent;
    const auto fenced = co_await ledger_.fence(std::move(tickets));
    stuck.insert(stuck.end(), fenced.stuck.begin(), fenced.stuck.end());
    co_await conclude(std::move(absent), fenced.records);
}

void ClaimReaper::report(const std::vector<TicketId>& stuck) {
    if (stuck.empty() || std::exchange(reported_, stuck.front()) == stuck.front()) return;
    log_.error("ticket.stuck", {{"tickets", stuck.size()},
                                {"first", stuck.front().text()},
                                {"reason", "its rows do not fit together; run sluice audit"}});
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
