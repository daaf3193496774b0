#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "adapters/redis/client.hpp"
#include "adapters/redis/keys.hpp"
#include "adapters/redis/reading_along.hpp"
#include "base/mutex.hpp"
#include "ports/buyer_signals.hpp"

namespace sluice::redis {

/// Signals in a short stream of Redis, which every node follows. An entry contains what one node
/// has signalled within a moment.
class RedisBuyerSignals final : public BuyerSignals {
  public:
    /// `following` is used for this only, since it waits at Redis for the next entry.
    RedisBuyerSignals(Client& client, Client& following);

    void send(std::vector<BuyerSignal> signals) override;
    Subscription listen(Listener listener) override;

    /// How often pass_on() is to be called.
    static constexpr std::chrono::milliseconds kPace{20};
    /// Sends the waiting signals to Redis. What Redis does not accept is lost.
    Task<> pass_on();

    /// Follows the stream until stop(). After an outage of Redis it just tries again.
    Task<> follow();
    /// On the loop on which it follows.
    void stop() { reading_.stop(); }

    /// Signals that Redis did not accept, or that found no room to wait.
    std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

    /// How many signals may wait; more are lost.
    static constexpr std::size_t kMostWaiting = 10'000;
    /// Signals in one entry, and about how many entries are kept: some megabytes at most.
    static constexpr std::size_t kMostInEntry = 100;
    static constexpr std::size_t kEntries = 1'000;

  private:
    Call call_of(const std::vector<BuyerSignal>& signals) const;
    Task<> follow_once();
    Task<Done> find_end();
    void hear(ReplyView entry);

    Client& client_;
    Client& following_;
    const Keys keys_;
    const std::string own_name_;
    std::atomic<std::uint64_t> lost_ = 0;

    // Used by the loop on which it follows:
    std::optional<std::string> position_;  // nothing while the end of the stream is not known
    LogFollower reading_;

    Mutex waiting_mutex_;
    std::vector<BuyerSignal> waiting_ GUARDED_BY(waiting_mutex_);
    Mutex listener_mutex_;
    Listener listener_ GUARDED_BY(listener_mutex_);
};

}  // namespace sluice::redis
