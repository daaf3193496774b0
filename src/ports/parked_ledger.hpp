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

/// Tickets that are parked until an operator sends them again or refuses them. Somebody was told
/// that they are queued, so they are never forgotten. May throw Outage; each call may be repeated.
class ParkedLedger {
  public:
    virtual ~ParkedLedger() = default;

    /// A ticket that is parked already stays, with the new reason and one more try. One whose
    /// outcome the journal has is passed over: it needs nobody. A long reason is cut.
    virtual Task<Done> park(std::vector<ParkedTicket> tickets) = 0;

    virtual Task<std::optional<ParkedTicket>> find(TicketId id) = 0;
    /// One that was parked and is not any more, since it is decided.
    virtual Task<std::optional<Ticket>> find_former(TicketId id) = 0;
    /// The longest parked first; those after `after`, which may be decided by now. From the
    /// beginning if that one was never parked.
    virtual Task<std::vector<ParkedTicket>> list(std::optional<TicketId> after,
                                                 std::size_t most) = 0;
    virtual Task<std::int64_t> count() = 0;

    /// It is decided, so it is parked no longer. The deed, if there is one, is written with it,
    /// unless it was not parked any more.
    virtual Task<Done> take_off(TicketId id, std::optional<Deed> deed) = 0;
};

}  // namespace sluice
