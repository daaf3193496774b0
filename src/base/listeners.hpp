#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "base/mutex.hpp"
#include "base/subscription.hpp"

namespace sluice {

/// Those who want to be told that something has happened. From any thread; outlives its
/// subscriptions. A listener must not block, nor begin or end a subscription here.
class Listeners {
  public:
    Subscription add(std::function<void()> listener) {
        const MutexLock lock(mutex_);
        const auto number = next_++;
        all_.emplace(number, std::move(listener));
        return Subscription([this, number] {
            const MutexLock end_lock(mutex_);
            all_.erase(number);
        });
    }

    /// In the order in which they were added.
    void tell() {
        const MutexLock lock(mutex_);
        for (const auto& [number, listener] : all_) listener();
    }

  private:
    Mutex mutex_;
    std::map<std::uint64_t, std::function<void()>> all_ GUARDED_BY(mutex_);
    std::uint64_t next_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
