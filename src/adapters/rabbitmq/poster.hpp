#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <thread>

#include "adapters/rabbitmq/attempts.hpp"
#include "adapters/rabbitmq/connection.hpp"
#include "adapters/rabbitmq/listener.hpp"
#include "adapters/rabbitmq/wake_up.hpp"
#include "base/mutex.hpp"
#include "ports/broker_state.hpp"
#include "ports/ticket_queue.hpp"

namespace sluice::rabbitmq {

/// Posts messages, with one connection and one thread of its own, which also reads the lengths of
/// the queues. A post is answered with true when the broker has confirmed it, and with false
/// otherwise: refused, returned, no answer in time, or the connection has ended.
///
/// While there is no connection, or the broker accepts no messages, a post is answered with false
/// at once, and nothing is sent. The same holds after a post that was not answered in time, until
/// its answer comes: the broker may be slow for long, and each further post would wait in vain.
class Poster final : public TicketQueue {
  public:
    Poster(const Options& options, const Topology& topology, const Listener& listener);
    ~Poster() override;

    Task<bool> post(std::vector<Ticket> tickets) override;

    using Answer = std::move_only_function<void(bool is_kept)>;
    /// To any of our queues, from any thread. The answer is called once, from this or another
    /// thread, and must not block or throw.
    void send(const Queue& queue, Message message, Answer answer);

    BrokerState state() const;

    /// Ends the thread; all posts that wait or come later are answered with false.
    void stop();

  private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        const Queue* queue;
        Message message;
        Answer answer;
    };
    struct Sent {
        Answer answer;  // empty after it was called because the time was over
        Clock::time_point deadline;
        bool is_returned = false;
    };

    void run();
    void serve(Connection& connection);
    void open(const std::string& host);
    void lose(const std::string& reason);
    void send_waiting(Connection& connection);
    void hear(Connection& connection);
    void take(const Confirmed& confirmed);
    void take(Returned returned);
    void take(const Declared& declared);
    void take(const Blocked& blocked);
    void take(const Unblocked&);
    static void take(const Delivered&) {}
    void settle(Sent sent, bool is_kept);
    void expire();
    void look(Connection& connection);
    std::chrono::milliseconds longest_wait() const;
    bool is_stopping() const;
    bool is_blocked() const;

    std::optional<Waiting> next_waiting();
    bool takes(const Queue& queue) const REQUIRES(mutex_);
    void set_full(bool Poster::* why, bool is_so, std::string_view reason) EXCLUDES(mutex_);

    const Options& options_;
    const Topology& topology_;
    const Listener& listener_;
    WakeUp wake_up_;

    mutable Mutex mutex_;
    std::deque<Waiting> waiting_ GUARDED_BY(mutex_);
    BrokerState state_ GUARDED_BY(mutex_);
    bool is_stopping_ GUARDED_BY(mutex_) = false;
    bool is_blocked_ GUARDED_BY(mutex_) = false;  // by an alarm of the broker
    bool is_long_ GUARDED_BY(mutex_) = false;     // the queue of tickets has reached its bound
    bool is_late_ GUARDED_BY(mutex_) = false;     // a post was not answered in time

    // Used by the thread only:
    Attempts attempts_;
    std::map<std::uint64_t, Sent> sent_;  // by the number of the post on this connection
    std::uint64_t posted_ = 0;
    std::size_t late_ = 0;   // those of them whose time was over
    std::size_t looks_ = 0;  // that have no answer yet
    Clock::time_point next_look_;
    std::thread thread_;
};

}  // namespace sluice::rabbitmq
