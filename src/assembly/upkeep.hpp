#pragma once

#include <memory>

#include "app/prepared_tickets.hpp"
#include "assembly/keeper.hpp"
#include "assembly/purchase_line.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "ports/clock.hpp"
#include "ports/ledgers.hpp"
#include "workers/pruner.hpp"
#include "workers/ticket_consumer.hpp"

namespace sluice {

/// What goes on behind the shop: tickets that are prepared get their outcome, and what is no longer
/// needed is removed.
class Upkeep {
  public:
    Upkeep(const Config& config, Ledgers& ledgers, PurchaseLine& line, const Clock& clock,
           IdSource& ids, TicketConsumer::OnFailure on_failure);

    void employ(Keeper& keeper);

  private:
    const std::unique_ptr<TicketLedger> tickets_;
    PreparedTickets prepared_;
    TicketConsumer consumer_;
    Pruner pruner_;
};

}  // namespace sluice
