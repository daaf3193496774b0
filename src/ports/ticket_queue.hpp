#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Carries tickets from the nodes that claim to those that write, through a broker. What it keeps
/// is delivered at least once: late, doubled, in any order.
class TicketQueue {
  public:
    virtual ~TicketQueue() = default;

    /// Sends one durable message. True when the broker has said that it keeps it. False when it
    /// has not: the message may be delivered all the same. Throws nothing.
    virtual Task<bool> post(std::vector<Ticket> tickets) = 0;

    struct Delivery {
        std::uint64_t tag = 0;  // names it to the queue that has delivered it
        std::vector<Ticket> tickets;
    };
    /// What has arrived: whole messages, as many as fit into `most` tickets, but at least one when
    /// there is one. They are this consumer's until it acknowledges them; if its connection ends
    /// before that, they are delivered again, to anybody. May throw Outage.
    virtual Task<std::vector<Delivery>> take(std::size_t most) = 0;
    /// Called from any thread when something has arrived. It must not block or throw. Before the
    /// first take().
    virtual void on_arrival(std::function<void()> callback) = 0;

    /// These are never delivered again, unless the connection ended meanwhile. Throws nothing.
    virtual Task<Done> acknowledge(std::vector<std::uint64_t> tags) = 0;

    /// Lays a ticket aside that cannot be written, for people to look at. True when the broker
    /// keeps it there. Throws nothing.
    virtual Task<bool> park(Ticket ticket, std::string reason) = 0;
};

}  // namespace sluice
