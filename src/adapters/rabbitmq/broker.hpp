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

/// Carries tickets through RabbitMQ from nodes that claim to nodes that write. It has a thread to
/// post, `broker-post`, and one for each source, `broker-take-N` and `broker-parked`, each with its
/// own connection. It can be constructed while the broker is away: connections are made in the
/// background, and made anew whenever they end.
class Broker {
  public:
    using Listener = rabbitmq::Listener;

    Broker(Options options, Listener listener);
    /// Nobody may wait for an answer any more. Takes as long as connecting may take.
    ~Broker();
    Broker(const Broker&) = delete;
    Broker& operator=(const Broker&) = delete;

    TicketQueue& queue();
    /// As many as the options want.
    std::vector<TicketSource*> sources();
    /// The tickets that sources have parked, each with its reason; nullptr if there are no sources.
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
