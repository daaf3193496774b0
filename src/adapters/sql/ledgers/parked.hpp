#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/parked_ledger.hpp"

namespace sluice::ledgers {

class Parked final : public ParkedLedger {
  public:
    Parked(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Done> park(std::vector<ParkedTicket> tickets) override;
    Task<std::optional<ParkedTicket>> find(TicketId id) override;
    Task<std::optional<Ticket>> find_former(TicketId id) override;
    Task<std::vector<ParkedTicket>> list(std::optional<TicketId> after, std::size_t most) override;
    Task<std::int64_t> count() override;
    Task<Done> unpark(TicketId id, std::optional<Deed> deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

/// ParkedLedger::unpark(), in a transaction of the caller.
void unpark(Database& database, const TicketId& id, const std::optional<Deed>& deed);

}  // namespace sluice::ledgers
