#pragma once

#include <set>
#include <vector>

#include "cluster_simulation/network.hpp"
#include "ports/ticket_queue.hpp"
#include "ports/ticket_source.hpp"

namespace sluice::cluster_simulation {

/// A queue of durable messages. It delivers them at least once, late, doubled, in any order.
class Broker {
  public:
    explicit Broker(Chance& chance) : chance_(chance) {}

    /// Whether it keeps the message and confirms that. A message that it returns or refuses is not
    /// kept.
    bool post(const std::vector<Ticket>& tickets, bool is_troubled);

    using Consumer = std::uint64_t;  // a connection of a consumer
    Consumer connect();
    /// What the connection had taken and not acknowledged is delivered again, to anybody.
    void disconnect(Consumer consumer);
    /// Throws Outage when the connection has ended.
    std::vector<TicketSource::Delivery> take(Consumer consumer, std::size_t most);
    void acknowledge(Consumer consumer, const std::vector<std::uint64_t>& tags);

    bool is_empty() const { return messages_.empty(); }

    /// Loses a message that was confirmed, as with most of the broker's nodes. Returns its tickets.
    std::vector<Ticket> lose_message();

  private:
    struct Message {
        std::uint64_t tag = 0;
        Consumer taken_by = 0;  // 0: it waits
        std::vector<Ticket> tickets;
    };

    Chance& chance_;
    Consumer consumers_ = 0;
    std::set<Consumer> connected_;
    std::uint64_t tags_ = 0;
    std::vector<Message> messages_;
};

/// The connection of one process to the broker.
class BrokerClient final : public TicketQueue, public TicketSource {
  public:
    BrokerClient(Broker& broker, Network& network, std::shared_ptr<Life> life)
        : broker_(broker), network_(network), life_(std::move(life)), consumer_(broker.connect()) {}
    /// The broker notices that the connection has ended.
    ~BrokerClient() override { broker_.disconnect(consumer_); }

    Task<bool> post(std::vector<Ticket> tickets) override;
    Task<std::vector<Delivery>> take(std::size_t most) override;
    Task<Done> acknowledge(std::vector<std::uint64_t> tags) override;
    Task<Done> give_back() override;
    Task<bool> park(Ticket ticket, std::string reason) override;

    /// Its connection ends, and it connects again.
    void reconnect();

  private:
    Broker& broker_;
    Network& network_;
    const std::shared_ptr<Life> life_;
    Broker::Consumer consumer_;
};

}  // namespace sluice::cluster_simulation
