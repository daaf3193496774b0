#include "assembly/upkeep.hpp"

#include <utility>

namespace sluice {
namespace {

using namespace std::chrono_literals;

Pruner::Keep keep_of(const Config& config) {
    return {.sandbox = std::chrono::days{config.payments.sandbox_days},
            .delivered = std::chrono::hours{config.webhooks.keep_delivered_hours},
            .dead = std::chrono::hours{config.webhooks.keep_dead_hours},
            .hot_changes = 24h};
}

}  // namespace

Upkeep::Upkeep(const Foundation& base, PurchaseLine& line, TicketConsumer::OnFailure on_failure)
    : tickets_(base.ledgers.open_tickets(base.clock, base.ids,
                                         [&line](Timestamp due) { line.hear_of_hold(due); })),
      prepared_(*tickets_, base.clock),
      consumer_(prepared_, *tickets_, line.settler, std::move(on_failure)),
      pruner_(base.clock, base.ledgers.sessions(), base.ledgers.receipts(), base.ledgers.stats(),
              base.ledgers.sandbox(), base.ledgers.webhooks(), base.ledgers.orders(),
              keep_of(base.config)) {}

void Upkeep::employ(Keeper& keeper) {
    keeper.employ("ticket_consumer", 1s, [this] { return consumer_.consume(); });
    keeper.employ("pruner", 1min, [this] { return pruner_.prune_once(); });
}

}  // namespace sluice
