#pragma once

#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/parked_ledger.hpp"
#include "ports/ticket_source.hpp"

namespace sluice {

/// Looks after the table of parked tickets. Writers who could not reach the table have parked
/// tickets in the broker; these are moved into the table. A parked ticket may be decided on another
/// way, such as a second delivery after its rows were mended; then it is taken off.
class ParkedCollector {
  public:
    static constexpr std::size_t kBatch = 512;

    /// `source`: where writers park tickets beside the table; nullptr when there is no broker.
    ParkedCollector(TicketSource* source, ParkedLedger& parked, OrderLedger& orders,
                    const Clock& clock)
        : source_(source), parked_(parked), orders_(orders), clock_(clock) {}

    /// All that the source has, and the next part of the table. May throw Outage: then the source
    /// has back what was taken.
    Task<> collect();

  private:
    Task<> move_into_table();
    Task<> take_off_decided();

    TicketSource* const source_;
    ParkedLedger& parked_;
    OrderLedger& orders_;
    const Clock& clock_;
    std::optional<TicketId> after_;  // the last one of the table that was looked at
};

}  // namespace sluice
