#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/ticket.hpp"
#include "ports/order_intake.hpp"

namespace sluice {

/// How writers turn tickets that were handed off into orders, and where a node notes tickets that
/// no broker has accepted. May throw Outage: then nothing was written, unless it is an
/// UnknownOutcome. Each call may be repeated: what is final in the journal stands. Several writers
/// may write at once, the same tickets too.
class TicketLedger {
  public:
    virtual ~TicketLedger() = default;

    /// What the journal says of one ticket now. Or why the ticket failed alone, for a reason that
    /// is neither an outage nor a refusal: its rows do not fit together, and it was left unchanged.
    using Written = std::expected<OrderIntake::Taken, std::string>;

    /// Decides all of them, in one transaction: each is ordered or refused then. In their order.
    virtual Task<std::vector<Written>> write(std::vector<Ticket> tickets) = 0;

    /// Notes those that the journal does not know as prepared, for a writer to decide. Each is
    /// queued, ordered or refused then. In their order. Given none, it tells whether the ledger
    /// takes writes.
    virtual Task<std::vector<Written>> prepare(std::vector<Ticket> tickets) = 0;

    /// Those that are prepared and not parked, the oldest claim first.
    virtual Task<std::vector<Ticket>> prepared(std::size_t most) = 0;
    /// How many are prepared, those that are parked included.
    virtual Task<std::int64_t> count_prepared() = 0;

    /// Rolls back a parked ticket for an operator, with the reason `conflict`, and takes it off the
    /// table; the deed is in the same transaction. If the journal has another outcome, that stands:
    /// then it is taken off without the deed.
    virtual Task<Written> refuse(Ticket ticket, Deed deed) = 0;
};

}  // namespace sluice
