#pragma once

#include <functional>
#include <utility>

#include "adapters/sql/ledgers/engine.hpp"
#include "adapters/sql/ledgers/ticket_desk.hpp"
#include "ports/ticket_ledger.hpp"

namespace sluice::ledgers {

/// `on_hold`: called after a commit with new orders, with the time at which the first of them is
/// due. It must not block or throw.
class Tickets final : public TicketLedger {
  public:
    Tickets(Writer& writer, Readers& readers, const TicketDesk& desk,
            std::function<void(Timestamp)> on_hold)
        : writer_(writer), readers_(readers), desk_(desk), on_hold_(std::move(on_hold)) {}

    Task<std::vector<Written>> write(std::vector<Ticket> tickets) override;
    Task<std::vector<Written>> prepare(std::vector<Ticket> tickets) override;
    Task<std::vector<Ticket>> prepared(std::size_t most) override;
    Task<std::int64_t> count_prepared() override;
    Task<Written> refuse(Ticket ticket, Deed deed) override;

  private:
    Writer& writer_;
    Readers& readers_;
    const TicketDesk desk_;
    const std::function<void(Timestamp)> on_hold_;
};

}  // namespace sluice::ledgers
