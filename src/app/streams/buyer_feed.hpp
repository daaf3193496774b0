#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "app/streams/stream_hub.hpp"
#include "base/mutex.hpp"
#include "ports/buyer_signals.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"

namespace sluice {

/// Brings tickets and orders to the streams of their buyers when several nodes share a ledger.
///
/// What this node commits is told at once and signalled to the other nodes. When a signal comes
/// from another node, the ledger is asked. A signal may be lost, so the latest orders of every
/// buyer who listens here are read repeatedly and compared with what was told.
///
/// An order is never told in a state that it has left already.
class BuyerFeed {
  public:
    /// How late a missed change of an order may be told, as long as no more buyers listen than
    /// kMostLooks in each round can cover; with more buyers it takes longer in proportion.
    static constexpr std::chrono::seconds kHeal{3};
    static constexpr std::chrono::milliseconds kRound{250};
    static constexpr std::size_t kMostLooks = 100;
    /// Orders read for one buyer, the newest.
    static constexpr std::size_t kOrders = 32;
    /// Signals that wait; further ones are dropped.
    static constexpr std::size_t kMostSignals = 16'384;

    /// `wake` asks for a call of look(), from any thread.
    BuyerFeed(StreamHub& hub, OrderLedger& ledger, BuyerSignals& signals, const Clock& clock,
              std::function<void()> wake);

    /// What this node has committed, in the order of the commits. From any thread, without waiting.
    void tell(std::span<const BuyerNews> news);

    /// To be called every kRound, and when woken; one call at a time. Returns how long to pause.
    /// May throw Outage: the next calls catch up.
    Task<std::chrono::milliseconds> look();

    // How often somebody was told, from any thread.
    std::uint64_t told_by_signal() const { return by_signal_.load(std::memory_order_relaxed); }
    std::uint64_t found_by_look() const { return by_look_.load(std::memory_order_relaxed); }

  private:
    /// The state of an order that its buyer knows.
    struct Known {
        OrderId id;
        OrderState state;
    };
    struct Listening {
        Timestamp since;
        Timestamp looked_at{};
        std::vector<Known> orders{};  // the oldest first
    };

    void hear(std::vector<BuyerSignal> signals);
    Task<> follow_signals();
    Task<> follow(BuyerSignal signal);
    std::vector<BuyerSignal> take_signals();
    Task<> heal();
    void review_listeners(Timestamp now);
    std::vector<UserId> pick_buyers(Timestamp now);

    enum class Because { signal, look };
    void bring(const Order& order, Because why);
    Listening* find(UserId buyer) REQUIRES(mutex_);
    static bool knows(const Listening& listening, OrderId order);
    static bool is_told_already(const Listening& listening, const BuyerNews& news);
    static bool is_newer(const Listening& listening, const Order& order);
    static void note(Listening& listening, const Order& order);

    StreamHub& hub_;
    OrderLedger& ledger_;
    BuyerSignals& signals_;
    const Clock& clock_;
    const std::function<void()> wake_;
    std::atomic<std::uint64_t> by_signal_ = 0, by_look_ = 0;
    Timestamp reviewed_at_{};  // used by the caller of look() only

    // Held while the hub is told, so that the states of an order are told in their order.
    Mutex mutex_;
    std::unordered_map<UserId, Listening> listening_ GUARDED_BY(mutex_);
    Mutex heard_mutex_;
    std::set<BuyerSignal> heard_ GUARDED_BY(heard_mutex_);

    const Subscription subscription_;  // the last member: it ends first
};

}  // namespace sluice
