#pragma once

#include <vector>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Where a node that claims posts tickets for nodes that write. What it keeps is delivered by a
/// TicketSource on some node.
class TicketQueue {
  public:
    virtual ~TicketQueue() = default;

    /// Sends one durable message. True when the broker has confirmed it. False when it has not: the
    /// message may be delivered all the same. Throws nothing.
    virtual Task<bool> post(std::vector<Ticket> tickets) = 0;
};

}  // namespace sluice
