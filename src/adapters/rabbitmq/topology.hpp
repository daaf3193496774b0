#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "adapters/rabbitmq/options.hpp"

namespace sluice::rabbitmq {

/// A durable quorum queue.
struct Queue {
    std::string name;
    std::optional<std::int64_t> longest;  // messages; a post to a full queue is refused
};

/// The queues that the program needs, and declares. If one exists with other arguments, the broker
/// reports that, and nothing is changed.
struct Topology {
    explicit Topology(const Options& options)
        : tickets{options.queue, options.longest_queue},
          parked{options.queue + ".parked", std::nullopt},
          unreadable{options.queue + ".unreadable", std::nullopt} {}

    std::array<const Queue*, 3> all() const { return {&tickets, &parked, &unreadable}; }

    const Queue tickets;
    const Queue parked;      // single tickets that could not be written
    const Queue unreadable;  // messages that are not ours
};

}  // namespace sluice::rabbitmq
