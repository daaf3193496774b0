#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "base/timestamp.hpp"

namespace sluice {

/// What a server reports about itself, repeatedly.
struct NodeSign {
    std::int64_t part = 0;           // its part of ids: no other server has the same
    std::string url;                 // where it listens for shoppers
    std::vector<std::string> roles;  // what it does: "edge", "writer", "keeper"
    std::string version;
    Timestamp started_at;
    bool is_on_duty = false;
    double requests_per_second = 0;  // since the sign before
    std::int64_t connections = 0;    // that are open

    // Found by its keeper of the hot copies:
    std::int64_t copies = 0;
    std::int64_t cold = 0;      // sales that should have a copy and have none
    std::int64_t drifting = 0;  // copies that differ from the ledger
    std::int64_t drifts = 0;    // since its start
};

/// Lists the servers that work together.
class NodeDirectory {
  public:
    virtual ~NodeDirectory() = default;

    /// How often a server gives a sign.
    static constexpr std::chrono::seconds kPace{3};
    /// After this time without a sign a server counts as gone.
    static constexpr std::chrono::seconds kPatience{10};
    /// After this time it is not listed any more. By then its part of ids may belong to another
    /// server.
    static constexpr std::chrono::hours kMemory{1};

    struct Node {
        NodeSign sign;
        Timestamp seen_at;  // by the clock that all nodes share
        bool is_gone = false;
        bool is_own = false;
        /// By how much its clock was ahead of the shared one; nullopt: there is no shared one.
        std::optional<std::chrono::milliseconds> clock_difference;
    };
    struct Nodes {
        std::vector<Node> nodes;  // in the order of their parts
        bool is_complete = true;  // false: other servers cannot be seen at the moment
    };

    /// Gives this server's sign, every kPace. The directory fills in the part of ids. Throws
    /// nothing.
    virtual Task<Done> give_sign(NodeSign own) = 0;
    /// From any thread.
    virtual Task<Nodes> list() = 0;
};

}  // namespace sluice
