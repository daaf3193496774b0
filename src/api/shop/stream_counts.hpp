#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "http/web_socket_handler.hpp"

namespace sluice::api {

/// Counts over all streams, for the metrics. Safe from any thread.
struct StreamCounts {
    std::atomic<std::uint64_t> sent = 0;  // messages given to sockets
    std::atomic<std::uint64_t> heard = 0;
    std::atomic<std::uint64_t> begun = 0;
    std::array<std::atomic<std::uint64_t>, http::kEndings.size()> ended{};

    void note_end(std::string_view reason) {
        const auto at = std::ranges::find(http::kEndings, reason);
        ended[static_cast<std::size_t>(at - http::kEndings.begin())].fetch_add(1);
    }

    std::uint64_t open() const {
        std::uint64_t gone = 0;
        for (const auto& each : ended) gone += each.load();
        return begun.load() - gone;
    }
};

}  // namespace sluice::api
