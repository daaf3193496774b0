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

/// Signals in a short stream of Redis, which every node reads along. An entry has the signals of a
/// moment of one node.
class RedisBuyerSignals final : public BuyerSignals {
  public:
    /// `following` is for this alone, since it waits at Redis for the next entry.
    RedisBuyerSignals(Client& client, Client& following);

    void send(std::vector<BuyerSignal> signals) override;
    Subscription listen(Listener listener) override;

    /// How often pass_on() is to be called.
    static constexpr std::chrono::milliseconds kPace{20};
    /// Tells Redis of what was sent. What it does not take is lost.
    Task<> pass_on();

    /// Reads along until stop(). An outage of Redis only makes it try again.
    Task<> follow();
    /// On the loop on which it follows.
    void stop() { reading_.stop(); }

    /// Signals that Redis did not take, or that found no room to wait for it.
    std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

    /// Signals that wait; more are lost.
    static constexpr std::size_t kMostWaiting = 10'000;
    /// In one entry, and about so many entries are kept: some megabytes at most.
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

    // Of the loop on which it follows:
    std::optional<std::string> position_;  // nothing while the end of the stream is not known
    ReadingAlong reading_;

    Mutex waiting_mutex_;
    std::vector<BuyerSignal> waiting_ GUARDED_BY(waiting_mutex_);
    Mutex listener_mutex_;
    Listener listener_ GUARDED_BY(listener_mutex_);
};

}  // namespace sluice::redis
