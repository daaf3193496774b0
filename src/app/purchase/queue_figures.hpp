#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "ports/broker_state.hpp"

namespace sluice {

/// What a node knows of the tickets that are on their way into the ledger.
struct QueueFigures {
    std::optional<BrokerState> broker;  // nullopt without one: each node writes its own tickets
    std::int64_t under_way = 0;         // claimed and not decided: with a broker, on all nodes
    std::optional<std::chrono::milliseconds> oldest = {};  // its age, when it is known
    double pace = 0;                // decided in a second when there is enough to do, as measured
    std::int64_t wait_seconds = 0;  // for a ticket that comes now
};

/// From any thread; it must not block or throw.
using ReadQueue = std::function<QueueFigures()>;

}  // namespace sluice
