#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include "ports/broker_state.hpp"

namespace sluice {

/// What a node knows of the tickets that are on their way into the ledger.
struct QueueFigures {
    std::optional<BrokerState> broker;  // nullopt: there is none, each node writes its own tickets
    std::int64_t under_way = 0;         // claimed and not decided: with a broker, on all nodes
    std::optional<std::chrono::milliseconds> oldest = {};  // its age, when it is known
    double pace = 0;                                       // decided in a second, as measured
};

/// From any thread; it must not block or throw.
using ReadQueue = std::function<QueueFigures()>;

/// How long one waits who comes now; nullopt when nobody knows. None waits where nothing is under
/// way.
inline std::optional<std::int64_t> wait_seconds(const QueueFigures& figures) {
    if (figures.under_way <= 0) return 0;
    if (!(figures.pace > 0)) return std::nullopt;
    const auto seconds = std::ceil(static_cast<double>(figures.under_way) / figures.pace);
    constexpr double kMost = 1e9;
    return static_cast<std::int64_t>(std::min(seconds, kMost));
}

}  // namespace sluice
