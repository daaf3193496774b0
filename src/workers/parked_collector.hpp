#pragma once

#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/ticket_source.hpp"

namespace sluice {

/// Looks after the table of parked tickets. Writers that could not reach the table have parked
/// tickets in the broker; these are moved into the table. A parked ticket may be decided in another
/// way, for example by a second delivery after its rows were corrected; then it is removed from the
/// table.
class ParkedCollector {
  public:
    static constexpr std::size_t kBatch = 512;

    /// `source`: where writers park tickets besides the table; nullptr when there is no broker.
    ParkedCollector(TicketSource* source, ParkedLedger& parked, OrderLedger& orders,
                    const Clock& clock)
        : source_(source), parked_(parked), orders_(orders), clock_(clock) {}

    /// Takes all that the source has, and the next part of the table. May throw Outage: then what
    /// was taken is given back to the source.
    Task<> collect();

  private:
    Task<> move_into_table();
    Task<> unpark_decided();

    TicketSource* const source_;
    ParkedLedger& parked_;
    OrderLedger& orders_;
    const Clock& clock_;
    std::optional<TicketId> after_;  // the last ticket of the table that was looked at
};

}  // namespace sluice
