#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "adapters/rabbitmq/attempts.hpp"
#include "adapters/rabbitmq/connection.hpp"
#include "adapters/rabbitmq/listener.hpp"
#include "adapters/rabbitmq/poster.hpp"
#include "adapters/rabbitmq/wake_up.hpp"
#include "base/mutex.hpp"
#include "ports/ticket_source.hpp"

namespace sluice::rabbitmq {

/// Takes messages of one queue, with one connection and one thread of its own. It connects at the
/// first take(), and after give_back() at the next one.
///
/// A message that cannot be read is posted to the queue of unreadable ones, and acknowledged when
/// the broker has confirmed it there.
class Source final : public TicketSource {
  public:
    /// The poster outlives the source's thread, and gives no answers after it was stopped.
    Source(const char* thread, const Queue& queue, const Options& options, const Topology& topology,
           Poster& poster, const Listener& listener);
    ~Source() override;

    Task<std::vector<Delivery>> take(std::size_t most) override;
    Task<Done> acknowledge(std::vector<std::uint64_t> tags) override;
    Task<Done> give_back() override;
    Task<bool> park(Ticket ticket, std::string reason) override;

    std::uint64_t redelivered() const { return redelivered_; }

    /// Ends the thread.
    void stop();

  private:
    using Clock = std::chrono::steady_clock;

    void run();
    void serve(Connection& connection);
    /// False when the connection has to end.
    bool say(Connection& connection);
    bool is_quiet() const;
    void hear(Connection& connection);
    void keep(Delivered delivered);
    void set_aside(Delivered delivered, const std::string& why);
    void set_aside_answered(std::uint64_t generation, std::uint64_t broker_tag, bool is_kept);
    void forget();
    bool is_wanted() const;
    bool is_stopping() const;

    const Queue& queue_;
    const Options& options_;
    const Topology& topology_;
    Poster& poster_;
    const Listener& listener_;
    WakeUp wake_up_;
    std::atomic<std::uint64_t> redelivered_ = 0;

    mutable Mutex mutex_;
    bool is_stopping_ GUARDED_BY(mutex_) = false;
    bool is_wanted_ GUARDED_BY(mutex_) = false;
    bool must_leave_ GUARDED_BY(mutex_) = false;  // on this connection, to give back all
    std::uint64_t tags_ GUARDED_BY(mutex_) = 0;   // the last one; each is used once
    // Used with the present connection:
    std::uint64_t generation_ GUARDED_BY(mutex_) = 0;
    std::deque<Delivery> arrived_ GUARDED_BY(mutex_);
    std::map<std::uint64_t, std::uint64_t> open_ GUARDED_BY(mutex_);  // our tag, the broker's
    std::set<std::uint64_t> done_ GUARDED_BY(mutex_);  // the broker's tags, to be acknowledged
    std::string failure_ GUARDED_BY(mutex_);           // the connection has to end for these

    // Used by the thread only:
    Attempts attempts_;
    std::set<std::uint64_t> unacknowledged_;  // the broker's tags
    Clock::time_point heard_at_;
    std::string problem_;  // that was told last
    std::thread thread_;
};

}  // namespace sluice::rabbitmq
