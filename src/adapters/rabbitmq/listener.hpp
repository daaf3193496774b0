#pragma once

#include <functional>
#include <string_view>

namespace sluice::rabbitmq {

/// Called from any thread. Must not block or throw.
struct Listener {
    std::function<void()> on_arrival = [] {};  // a source may have something to take
    /// An event for operators: broker.connected, broker.away, broker.full, broker.has_room,
    /// broker.returned, broker.source_away, broker.unreadable.
    std::function<void(std::string_view event, std::string_view reason)> on_event =
        [](std::string_view, std::string_view) {};
};

}  // namespace sluice::rabbitmq
