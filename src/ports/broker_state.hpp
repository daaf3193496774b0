#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice {

/// What a node knows of the broker that carries tickets, for operators and metrics.
struct BrokerState {
    bool is_connected = false;
    std::string host;              // that the node is connected to, or was last
    std::string problem;           // why it is not connected; empty when it is
    bool is_full = false;          // it accepts no messages: an alarm, or a full queue
    std::int64_t messages = 0;     // that wait in the queue, as of the last look
    std::int64_t writers = 0;      // that take from the queue
    std::int64_t parked = 0;       // messages in the queue of parked tickets
    std::int64_t unreadable = 0;   // messages that nobody could read, kept for people to look at
    std::int64_t unconfirmed = 0;  // posted by this node, without an answer yet

    // Of this node, since it started:
    std::uint64_t confirmed = 0;
    std::uint64_t returned = 0;    // no queue was there
    std::uint64_t refused = 0;     // by the broker
    std::uint64_t unanswered = 0;  // connection lost, or no answer in time
    std::uint64_t redelivered = 0;
};

}  // namespace sluice
