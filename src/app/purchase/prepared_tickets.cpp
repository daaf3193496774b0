#include "app/purchase/prepared_tickets.hpp"

#include <utility>

namespace sluice {

Task<std::vector<TicketSource::Delivery>> PreparedTickets::take(std::size_t most) {
    forget_parked_when_due();
    std::vector<Delivery> deliveries;
    if (parked_.size() >= kMostParked) co_return deliveries;
    const auto passed_over = parked_.size() + taken_.size();
    auto tickets = co_await ledger_.prepared(most + passed_over);
    for (auto& ticket : tickets) {
        if (deliveries.size() == most) break;
        if (parked_.contains(ticket.id) || taken_.contains(ticket.id)) continue;
        taken_.emplace(ticket.id, ++tags_);
        Delivery delivery;
        delivery.tag = tags_;
        delivery.tickets.push_back(std::move(ticket));
        deliveries.push_back(std::move(delivery));
    }
    co_return deliveries;
}

/// The row itself needs no acknowledgement: once it is decided, it is not prepared any more.
Task<Done> PreparedTickets::acknowledge(std::vector<std::uint64_t> tags) {
    const std::set<std::uint64_t> acknowledged(tags.begin(), tags.end());
    std::erase_if(taken_, [&](const auto& each) { return acknowledged.contains(each.second); });
    co_return Done{};
}

Task<Done> PreparedTickets::give_back() {
    taken_.clear();
    co_return Done{};
}

Task<bool> PreparedTickets::park(Ticket ticket, std::string) {
    if (parked_.empty()) parked_since_ = clock_.now();
    parked_.insert(ticket.id);
    co_return true;
}

void PreparedTickets::forget_parked_when_due() {
    const auto now = clock_.now();
    // Tickets must not wait longer because a clock was set back.
    if (now < parked_since_ || now >= parked_since_ + kTryAgain) parked_.clear();
}

}  // namespace sluice
