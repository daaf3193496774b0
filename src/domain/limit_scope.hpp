#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/address.hpp"
#include "base/mutex.hpp"

namespace sluice {

/// Whether rate and log-in limits are in force at all, and which networks have no limits by
/// address. Every request reads it without a lock; a reload of the configuration replaces it. From
/// any thread.
class LimitScope {
  public:
    explicit LimitScope(bool enabled = true, std::vector<Network> exempt = {});

    bool enabled() const { return enabled_.load(std::memory_order_relaxed); }
    bool exempts(const Address& address) const;
    const std::vector<Network>& exempt() const { return *exempt_.load(std::memory_order_acquire); }

    void replace(bool enabled, std::vector<Network> exempt);

  private:
    std::atomic<bool> enabled_;
    std::atomic<const std::vector<Network>*> exempt_;
    Mutex replacing_;
    /// Lists that were replaced are kept, since somebody may still be reading them. There is one
    /// for each reload that changed it, which is a few in the life of a server.
    std::vector<std::unique_ptr<const std::vector<Network>>> lists_ GUARDED_BY(replacing_);
};

}  // namespace sluice
