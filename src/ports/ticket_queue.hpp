#pragma once

#include <vector>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Where a node that claims posts tickets for those that write. What it keeps comes out of a
/// TicketSource somewhere else.
class TicketQueue {
  public:
    virtual ~TicketQueue() = default;

    /// Sends one durable message. True when the broker has said that it keeps it. False when it
    /// has not: the message may be delivered all the same. Throws nothing.
    virtual Task<bool> post(std::vector<Ticket> tickets) = 0;
};

}  // namespace sluice
