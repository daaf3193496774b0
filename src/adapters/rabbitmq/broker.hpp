#pragma once

#include <memory>
#include <vector>

#include "adapters/rabbitmq/listener.hpp"
#include "adapters/rabbitmq/options.hpp"
#include "adapters/rabbitmq/topology.hpp"
#include "ports/broker_state.hpp"
#include "ports/ticket_queue.hpp"
#include "ports/ticket_source.hpp"

namespace sluice::rabbitmq {

class Poster;
class Source;

/// RabbitMQ as the way of tickets from those who claim to those who write. It has a thread to post,
/// `broker-post`, and one for each source, `broker-take-N` and `broker-parked`, each with its own
/// connection. Whether the broker is there or not, it can be made; connections are made in the
/// background, and made anew whenever they end.
class Broker {
  public:
    using Listener = rabbitmq::Listener;

    Broker(Options options, Listener listener);
    /// Nobody waits for an answer any more. Takes as long as connecting may take.
    ~Broker();
    Broker(const Broker&) = delete;
    Broker& operator=(const Broker&) = delete;

    TicketQueue& queue();
    /// As many as the options want.
    std::vector<TicketSource*> sources();
    /// What sources have parked, each ticket with its reason; nullptr if there are no sources.
    TicketSource* parked();

    /// From any thread.
    BrokerState state() const;

  private:
    const Options options_;
    const Listener listener_;
    const Topology topology_;
    const std::unique_ptr<Poster> poster_;
    std::vector<std::unique_ptr<Source>> sources_;
    std::unique_ptr<Source> parked_;
};

}  // namespace sluice::rabbitmq
