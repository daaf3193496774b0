#pragma once

#include <functional>
#include <utility>

#include "adapters/sql/ledgers/archive_returns.hpp"
#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/ledgers/ticket_desk.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice::ledgers {

/// `on_hold`: called after a commit with new orders, with the time at which the first of them is
/// due. It must not block or throw.
class Tickets final : public TicketLedger {
  public:
    Tickets(Writer& writer, Readers& readers, ArchiveReturns& returns, const TicketDesk& desk,
            PrepareTickets prepare_tickets, std::function<void(Timestamp)> on_hold)
        : writer_(writer),
          readers_(readers),
          returns_(returns),
          desk_(desk),
          prepare_(prepare_tickets),
          on_hold_(std::move(on_hold)) {}

    Task<std::vector<Written>> write(std::vector<Ticket> tickets) override;
    Task<std::vector<Written>> prepare(std::vector<Ticket> tickets) override;
    Task<std::vector<Ticket>> prepared(std::size_t most) override;
    Task<std::int64_t> count_prepared() override;
    Task<Written> refuse(Ticket ticket, Deed deed) override;

  private:
    Task<WrittenTickets> write_batch(std::vector<Ticket> tickets);
    Task<Written> write_late(Ticket ticket);
    Task<Written> write_alone(Ticket ticket);

    Writer& writer_;
    Readers& readers_;
    ArchiveReturns& returns_;
    const TicketDesk desk_;
    const PrepareTickets prepare_;
    const std::function<void(Timestamp)> on_hold_;
};

/// As a PrepareTickets, one by one.
std::vector<TicketLedger::Written> prepare_tickets(Database& database,
                                                   const std::vector<Ticket>& tickets);

}  // namespace sluice::ledgers
