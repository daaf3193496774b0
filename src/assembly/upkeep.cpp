#include "assembly/upkeep.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

Pruner::Keep keep_of(const Config& config) {
    return {.sandbox = std::chrono::days{config.payments.sandbox_days},
            .delivered = std::chrono::hours{config.webhooks.keep_delivered_hours},
            .dead = std::chrono::hours{config.webhooks.keep_dead_hours},
            .hot_changes = 24h};
}

TicketConsumer::Parking parking_of(const Upkeep::Parts& parts) {
    return {.table = parts.ledgers.parked(), .clock = parts.clock};
}

}  // namespace

Upkeep::Writer::Writer(TicketSource& source, const Parts& parts, std::size_t number)
    : consumer(source, parts.tickets, parts.line.claims.settler, parts.on_failure,
               parking_of(parts)),
      rounds(
          "queue_consumer_" + std::to_string(number), 1s, [this] { return consumer.consume(); },
          parts.log) {}

Upkeep::Upkeep(const Parts& parts)
    : broker_(parts.broker),
      tickets_(parts.tickets),
      parked_(parts.ledgers.parked()),
      prepared_(parts.tickets, parts.clock),
      consumer_(prepared_, parts.tickets, parts.line.claims.settler, parts.on_failure,
                parking_of(parts)),
      parked_collector_(broker_ ? broker_->parked() : nullptr, parked_, parts.ledgers.orders(),
                        parts.clock),
      pruner_(parts.clock, parts.ledgers.sessions(), parts.ledgers.receipts(),
              parts.ledgers.stats(), parts.ledgers.sandbox(), parts.ledgers.webhooks(),
              parts.ledgers.orders(), parts.ledgers.hold_networks(), parts.ledgers.buyer_lists(),
              parts.ledgers.pictures(), keep_of(parts.config)) {
    if (!broker_) return;
    for (auto* const source : broker_->sources())
        writers_.emplace_back(*source, parts, writers_.size() + 1);
    broker_->set_arrival_callback([this] {
        for (auto& writer : writers_) writer.rounds.wake();
    });
}

Upkeep::~Upkeep() {
    if (broker_) broker_->set_arrival_callback([] {});
}

void Upkeep::employ(Keeper& keeper, const Roles& roles) {
    if (roles.writer) {
        keeper.employ("ticket_consumer", 1s, [this] { return consumer_.consume(); });
        for (auto& writer : writers_) keeper.employ(writer.rounds);
        keeper.employ("parked_collector", 5s, [this] { return parked_collector_.collect(); });
    }
    keeper.employ("ticket_counts", 2s, [this] { return count_tickets(); });
    if (roles.keeper) keeper.employ("pruner", 1min, [this] { return pruner_.prune_once(); });
}

Task<> Upkeep::count_tickets() {
    prepared_count_ = co_await tickets_.count_prepared();
    parked_count_ = co_await parked_.count();
}

void Upkeep::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_tickets_prepared",
                      "Tickets in the journal that no writer has decided yet.",
                      [this] { return static_cast<double>(prepared_count_); });
    metrics.add_gauge("sluice_tickets_parked",
                      "Tickets that cannot be written and wait for an operator.",
                      [this] { return static_cast<double>(parked_count_); });
}

}  // namespace sluice
