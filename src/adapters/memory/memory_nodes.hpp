#pragma once

#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/node_directory.hpp"

namespace sluice {

/// The directory of a server that is alone.
class MemoryNodes final : public NodeDirectory {
  public:
    MemoryNodes(std::int64_t part, const Clock& clock) : part_(part), clock_(clock) {}

    Task<Done> give_sign(NodeSign own) override {
        own.part = part_;
        const MutexLock lock(mutex_);
        node_ = Node{.sign = std::move(own),
                     .seen_at = clock_.now(),
                     .is_gone = false,
                     .is_own = true,
                     .clock_difference = std::nullopt};
        co_return Done{};
    }
    Task<Nodes> list() override {
        Nodes all;
        const MutexLock lock(mutex_);
        if (node_) all.nodes.push_back(*node_);
        co_return all;
    }

  private:
    const std::int64_t part_;
    const Clock& clock_;
    Mutex mutex_;
    std::optional<Node> node_ GUARDED_BY(mutex_);
};

}  // namespace sluice
