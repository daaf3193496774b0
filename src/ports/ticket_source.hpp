#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// Where a writer gets tickets that others have handed off: a broker's queue, or the prepared rows
/// of the journal. Each ticket is delivered at least once: late, doubled, in any order, and to
/// several writers at once. One source has one caller, with one call at a time.
class TicketSource {
  public:
    virtual ~TicketSource() = default;

    struct Delivery {
        std::uint64_t tag = 0;  // identifies it to the source that has delivered it
        std::vector<Ticket> tickets;
        std::string reason = {};  // why they are parked; empty unless they are
    };
    /// Returns whole deliveries, as many as fit into `most` tickets, but at least one when there is
    /// one. This source does not deliver them again before they are acknowledged. If the source or
    /// its connection ends before that, they are delivered again, to any writer. May throw Outage.
    virtual Task<std::vector<Delivery>> take(std::size_t most) = 0;

    /// Their tickets are decided or parked, so these deliveries are not repeated, unless the
    /// connection has ended meanwhile. Throws nothing.
    virtual Task<Done> acknowledge(std::vector<std::uint64_t> tags) = 0;

    /// Gives back everything that was taken and not acknowledged, so that other writers can have
    /// it. The source delivers nothing more until the next `take`. For a writer whose ledger is
    /// away. Throws nothing.
    virtual Task<Done> give_back() = 0;

    /// Puts a ticket aside that cannot be written, so that it does not block others. It is kept for
    /// people to look at. False when it could not be put aside: then its delivery must not be
    /// acknowledged. Throws nothing.
    virtual Task<bool> park(Ticket ticket, std::string reason) = 0;
};

}  // namespace sluice
