#pragma once

#include <cstddef>
#include <vector>

#include "base/address.hpp"
#include "base/task.hpp"
#include "base/timestamp.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// From where a ticket was bought.
struct HoldNetwork {
    TicketId ticket;
    Network network;  // a household
    Timestamp at;
};

/// The networks of holds, for as long as operators may want to look at them. OrderList::holds and
/// OrderLedger::give_back_holds go by them. May throw Outage; each call may be repeated.
class HoldNetworkLedger {
  public:
    virtual ~HoldNetworkLedger() = default;

    /// Of a ticket that is known the first network stays.
    virtual Task<Done> note(std::vector<HoldNetwork> networks) = 0;

    /// Forgets what was noted before `noted_before`, and all of sales that were over before
    /// `over_before`: at most `limit`, and how many it were.
    virtual Task<std::size_t> prune(Timestamp noted_before, Timestamp over_before,
                                    std::size_t limit) = 0;
};

}  // namespace sluice
