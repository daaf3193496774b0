#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/backoff.hpp"
#include "base/outage.hpp"

namespace sluice {

/// What retry() needs from outside.
struct RetryTools {
    using Time = std::chrono::steady_clock::time_point;

    std::function<Time()> now;
    std::function<void(std::chrono::milliseconds)> sleep;
    std::function<double()> chance;  // from 0 to 1
};

/// Returns work(), which is run again after each Retry, with a pause before it. If the next pause
/// would end later than `patience` after the beginning, it gives up and throws Outage: nothing has
/// happened. Blocks its thread, so it is for the threads of an adapter.
template <class Work>
auto retry(const Backoff& backoff, std::chrono::milliseconds patience, const RetryTools& tools,
           Work&& work) -> decltype(work()) {
    const auto deadline = tools.now() + patience;
    for (std::int64_t failure = 0;; ++failure) {
        std::string reason;
        try {
            return work();
        } catch (const Retry& lost) {
            reason = lost.what();
        }
        const auto pause = backoff.after(failure, tools.chance());
        if (tools.now() + pause > deadline) throw Outage(reason);
        tools.sleep(pause);
    }
}

}  // namespace sluice
