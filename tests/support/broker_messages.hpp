#pragma once

#include <set>
#include <vector>

#include "base/run_to_end.hpp"
#include "ports/ticket_queue.hpp"
#include "ports/ticket_source.hpp"
#include "support/redis_node.hpp"

namespace sluice::testing_support {

/// Tickets that differ by their number, from 1.
inline Ticket numbered_ticket(int number) {
    Ticket made;
    made.id = {SaleId{1},
               Mark{static_cast<unsigned char>(number), static_cast<unsigned char>(number >> 8)}};
    made.buyer = UserId{number};
    made.claimed_at = from_millis(1'800'000'000'000);
    return made;
}

inline bool post(TicketQueue& queue, const std::vector<int>& numbers) {
    std::vector<Ticket> tickets;
    for (const int number : numbers) tickets.push_back(numbered_ticket(number));
    return run_to_end(queue.post(std::move(tickets)));
}

/// Waits until the source has delivered this many messages, at most half a minute.
inline std::vector<TicketSource::Delivery> take_messages(TicketSource& source, std::size_t count,
                                                         std::size_t most = 10'000) {
    std::vector<TicketSource::Delivery> all;
    eventually([&] {
        for (auto& each : run_to_end(source.take(most))) all.push_back(std::move(each));
        return all.size() >= count;
    });
    return all;
}

inline std::multiset<std::int64_t> buyers_of(const std::vector<TicketSource::Delivery>& messages) {
    std::multiset<std::int64_t> buyers;
    for (const auto& message : messages)
        for (const auto& ticket : message.tickets) buyers.insert(ticket.buyer.value);
    return buyers;
}

inline void acknowledge(TicketSource& source, const std::vector<TicketSource::Delivery>& messages) {
    std::vector<std::uint64_t> tags;
    for (const auto& message : messages) tags.push_back(message.tag);
    run_to_end(source.acknowledge(std::move(tags)));
}

}  // namespace sluice::testing_support
