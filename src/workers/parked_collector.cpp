#include "workers/parked_collector.hpp"

#include <exception>
#include <utility>

namespace sluice {

Task<> ParkedCollector::collect() {
    if (source_) co_await move_into_table();
    co_await unpark_decided();
}

Task<> ParkedCollector::move_into_table() {
    for (;;) {
        const auto deliveries = co_await source_->take(kBatch);
        if (deliveries.empty()) co_return;
        const auto now = clock_.now();
        std::vector<ParkedTicket> tickets;
        std::vector<std::uint64_t> tags;
        for (const auto& delivery : deliveries) {
            tags.push_back(delivery.tag);
            for (const auto& ticket : delivery.tickets)
                tickets.push_back(
                    {.ticket = ticket, .reason = delivery.reason, .parked_at = now, .tries = 1});
        }
        std::exception_ptr failure;
        try {
            co_await parked_.park(std::move(tickets));
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) {
            co_await source_->give_back();
            std::rethrow_exception(failure);
        }
        co_await source_->acknowledge(std::move(tags));
    }
}

/// One part in each round, so that a round costs the same for a table of any length.
Task<> ParkedCollector::unpark_decided() {
    const auto parked = co_await parked_.list(after_, kBatch);
    std::vector<Ticket> tickets;
    for (const auto& each : parked) tickets.push_back(each.ticket);
    const bool is_end = parked.size() < kBatch;
    after_ = is_end ? std::nullopt : std::optional(parked.back().ticket.id);
    if (tickets.empty()) co_return;
    const auto records = co_await orders_.tickets(std::move(tickets));
    for (const auto& record : records)
        if (record.state != TicketState::prepared) co_await parked_.unpark(record.id, std::nullopt);
}

}  // namespace sluice
