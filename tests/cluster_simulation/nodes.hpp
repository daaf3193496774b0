#pragma once

#include "app/passes/local_entry_desk.hpp"
#include "app/purchase/prepared_tickets.hpp"
#include "app/purchase/queued_intake.hpp"
#include "cluster_simulation/broker.hpp"
#include "cluster_simulation/hot_client.hpp"
#include "cluster_simulation/intakes.hpp"
#include "cluster_simulation/ledger_client.hpp"
#include "workers/claim_line.hpp"
#include "workers/ticket_consumer.hpp"

namespace sluice::cluster_simulation {

/// The clock of one process: ahead of the true time, or behind it.
class ProcessClock final : public Clock {
  public:
    explicit ProcessClock(const Timestamp& true_time) : true_time_(true_time) {}
    Timestamp now() const override { return true_time_ + ahead; }

    std::chrono::milliseconds ahead{0};

  private:
    const Timestamp& true_time_;
};

/// What all processes share.
struct Services {
    HotTier& hot;
    Broker& broker;
    LedgerServer& ledger;
    Network& network;
    LocalLoop& loop;
    const Timestamp& time;
    const Switch left_out;
};

/// One simulated process, with the claim line that a server has in every role. Its destruction is a
/// crash.
class Node {
  public:
    Node(Services& services, std::string name);
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;

    /// The process stops: calls that it waits for are never answered. Then it may be destroyed.
    void stop();

    /// Reads the sale anew, as a node does once a second.
    void pull() { view = services_.ledger.ledger.state().sale; }

    /// Runs one round of a worker, unless one is under way. An outage ends the round.
    enum class Work { consume, write_prepared, reap, look, catch_up, expire, fill_suspects, count };
    virtual Task<> round(Work work);
    void start(Work work);

    /// Runs on this node until it ends or the node stops. An outage ends it.
    void start(Task<> task);

  protected:
    Services& services_;

  public:
    const std::shared_ptr<Life> life;
    ProcessClock clock;
    Sale view;  // as this node knows it
    HotClient gate;
    LedgerClient ledger;
    ClaimLine claims;

  private:
    Sale shown() const;

    std::array<bool, static_cast<std::size_t>(Work::count)> is_working_{};
};

/// Claims and hands off: the real purchase, through the broker or directly.
class Edge final : public Node {
  public:
    Edge(Services& services, std::string name, bool is_queued);

  private:
    BrokerClient queue_;
    DirectIntake direct_;
    QueuedIntake queued_;
    ReleasingIntake intake_;
    LocalEntryDesk desk_;

  public:
    Purchase purchase;
};

/// Decides tickets that were handed off.
class Writer final : public Node {
  public:
    Writer(Services& services, std::string name);

    Task<> round(Work work) override;

    BrokerClient queue;
    PreparedTickets prepared;
    TicketConsumer of_queue;
    TicketConsumer of_journal;
};

/// Keeps claims, hot copies and holds in order.
class Keeper final : public Node {
  public:
    using Node::Node;

    Task<> round(Work work) override;
};

/// All nodes derive the same tickets.
const TicketMarks& marks();

}  // namespace sluice::cluster_simulation
