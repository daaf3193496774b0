#pragma once

#include "adapters/rabbitmq/broker.hpp"
#include "assembly/broker_tier.hpp"
#include "base/mutex.hpp"
#include "config/config.hpp"
#include "observe/log.hpp"

namespace sluice {

/// How the broker is reached, by a configuration whose broker.kind is rabbitmq. Throws DataError
/// when the password cannot be read.
rabbitmq::Options rabbitmq_options(const Config& config);

/// Tickets are handed off through RabbitMQ. A node that writes has a source for each thread of the
/// ledger that writes purchases.
class RabbitmqTier final : public BrokerTier {
  public:
    RabbitmqTier(const Config& config, Log& log);

    TicketQueue& queue() override { return broker_.queue(); }
    std::vector<TicketSource*> sources() override { return broker_.sources(); }
    TicketSource* parked() override { return broker_.parked(); }
    void set_arrival_callback(std::function<void()> callback) override;
    BrokerState state() const override { return broker_.state(); }

    void employ(Keeper&) override {}  // its threads are its own
    void add_metrics(MetricsPage& metrics) const override;
    std::vector<api::PartHealth> health() const override;

  private:
    void hear_of_arrival();
    void note(std::string_view event, std::string_view reason);

    Log& log_;
    Mutex mutex_;
    std::function<void()> on_arrival_ GUARDED_BY(mutex_) = [] {};
    rabbitmq::Broker broker_;  // last: its threads end before what they call
};

}  // namespace sluice
