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

Upkeep::Upkeep(const Config& config, Ledgers& ledgers, PurchaseLine& line, const Clock& clock,
               IdSource& ids, TicketConsumer::OnFailure on_failure)
    : tickets_(
          ledgers.open_tickets(clock, ids, [&line](Timestamp due) { line.hear_of_hold(due); })),
      prepared_(*tickets_, clock),
      consumer_(prepared_, *tickets_, line.settler, std::move(on_failure)),
      pruner_(clock, ledgers.sessions(), ledgers.receipts(), ledgers.stats(), ledgers.sandbox(),
              ledgers.webhooks(), ledgers.orders(), keep_of(config)) {}

void Upkeep::employ(Keeper& keeper) {
    keeper.employ("ticket_consumer", 1s, [this] { return consumer_.consume(); });
    keeper.employ("pruner", 1min, [this] { return pruner_.prune_once(); });
}

}  // namespace sluice
