#pragma once

#include <functional>
#include <vector>

#include "api/office/machine_room.hpp"
#include "assembly/keeper.hpp"
#include "observe/metrics.hpp"
#include "ports/broker_state.hpp"
#include "ports/ticket_queue.hpp"
#include "ports/ticket_source.hpp"

namespace sluice {

/// What carries tickets from the nodes that claim to the nodes that write. There is none where
/// each node writes its tickets itself.
class BrokerTier {
  public:
    virtual ~BrokerTier() = default;

    virtual TicketQueue& queue() = 0;
    /// One for each writer thread of this node; empty when the node does not write.
    virtual std::vector<TicketSource*> sources() = 0;
    /// The tickets that sources have parked in the broker, with the reasons; nullptr when the node
    /// does not write.
    virtual TicketSource* parked() = 0;
    /// Called from any thread when a source may have something to take. It must not block or throw.
    virtual void set_arrival_callback(std::function<void()> callback) = 0;
    /// From any thread.
    virtual BrokerState state() const = 0;

    virtual void employ(Keeper& keeper) = 0;
    virtual void add_metrics(MetricsPage& metrics) const = 0;
    /// From any thread.
    virtual std::vector<api::PartHealth> health() const = 0;
};

}  // namespace sluice
