#pragma once

#include <chrono>
#include <map>
#include <set>

#include "ports/clock.hpp"
#include "ports/ticket_ledger.hpp"
#include "ports/ticket_source.hpp"

namespace sluice {

/// The prepared rows of the journal as a source of tickets, the oldest claim first. A row is
/// prepared until it is decided, so a crash loses nothing: the row is delivered again.
///
/// A ticket that cannot be written stays prepared. Once it is in the table of parked tickets it is
/// not delivered any more. A writer that cannot reach that table parks the ticket here: it is
/// passed over for a minute, and then tried again.
class PreparedTickets final : public TicketSource {
  public:
    static constexpr std::chrono::minutes kTryAgain{1};
    /// When this many tickets are parked here, nothing more is taken until they are tried again.
    static constexpr std::size_t kMostParked = 1'024;

    PreparedTickets(TicketLedger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}

    /// Each row is a delivery of its own.
    Task<std::vector<Delivery>> take(std::size_t most) override;
    Task<Done> acknowledge(std::vector<std::uint64_t> tags) override;
    Task<Done> give_back() override;
    Task<bool> park(Ticket ticket, std::string reason) override;

  private:
    void forget_parked_when_due();

    TicketLedger& ledger_;
    const Clock& clock_;
    std::uint64_t tags_ = 0;
    std::map<TicketId, std::uint64_t> taken_;  // taken and not acknowledged, by tag
    std::set<TicketId> parked_;
    Timestamp parked_since_{};  // the first of them
};

}  // namespace sluice
