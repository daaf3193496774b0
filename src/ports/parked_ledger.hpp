#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// A ticket that no writer could write: its rows do not fit together.
struct ParkedTicket {
    Ticket ticket;
    std::string reason;
    Timestamp parked_at;
    std::int64_t tries = 1;
};

/// Tickets that are parked until an operator sends them again or refuses them. Their buyers were
/// told that they are queued, so they are never forgotten. May throw Outage; each call may be
/// repeated.
class ParkedLedger {
  public:
    virtual ~ParkedLedger() = default;

    /// A ticket that is parked already gets the new reason and one more try. A ticket whose outcome
    /// the journal has is skipped: nobody has to act. A long reason is cut.
    virtual Task<Done> park(std::vector<ParkedTicket> tickets) = 0;

    virtual Task<std::optional<ParkedTicket>> find(TicketId id) = 0;
    /// A ticket that was parked and is not any more, since it is decided.
    virtual Task<std::optional<Ticket>> find_former(TicketId id) = 0;
    /// Those parked longest come first; only those after `after`, which may be decided by now. From
    /// the beginning if `after` was never parked.
    virtual Task<std::vector<ParkedTicket>> list(std::optional<TicketId> after,
                                                 std::size_t most) = 0;
    virtual Task<std::int64_t> count() = 0;

    /// It is decided, so it is not parked any longer. The deed, if there is one, is written with
    /// it, unless it was not parked any more.
    virtual Task<Done> unpark(TicketId id, std::optional<Deed> deed) = 0;
};

}  // namespace sluice
