#pragma once

#include <atomic>
#include <list>

#include "app/purchase/prepared_tickets.hpp"
#include "assembly/broker_tier.hpp"
#include "assembly/keeper.hpp"
#include "assembly/purchase_line.hpp"
#include "config/config.hpp"
#include "ports/clock.hpp"
#include "ports/ledgers.hpp"
#include "workers/parked_collector.hpp"
#include "workers/pruner.hpp"
#include "workers/ticket_consumer.hpp"

namespace sluice {

/// Work in the background of the shop: tickets that are queued or prepared get their outcome, and
/// data that is no longer needed is removed.
class Upkeep {
  public:
    struct Parts {
        const Config& config;
        Ledgers& ledgers;
        TicketLedger& tickets;
        BrokerTier* broker;  // nullptr: nothing is queued
        PurchaseLine& line;
        const Clock& clock;
        TicketConsumer::OnFailure on_failure;
        Log& log;
    };
    explicit Upkeep(const Parts& parts);
    ~Upkeep();

    /// Employs the workers that the node's roles need.
    void employ(Keeper& keeper, const Roles& roles);
    void add_metrics(MetricsPage& metrics) const;

    /// Tickets that cannot be written, when they were counted last. From any thread.
    std::int64_t parked() const { return parked_count_; }

  private:
    /// One source of the broker, with the consumer that takes from it.
    struct Writer {
        Writer(TicketSource& source, const Parts& parts, std::size_t number);

        TicketConsumer consumer;
        Periodic rounds;
    };

    Task<> count_tickets();

    BrokerTier* const broker_;
    TicketLedger& tickets_;
    ParkedLedger& parked_;
    PreparedTickets prepared_;
    TicketConsumer consumer_;
    std::list<Writer> writers_;
    ParkedCollector parked_collector_;
    std::atomic<std::int64_t> prepared_count_ = 0,
                              parked_count_ = 0;  // when they were counted last
    Pruner pruner_;
};

}  // namespace sluice
