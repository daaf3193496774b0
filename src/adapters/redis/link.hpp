#pragma once

#include <deque>
#include <memory>
#include <string>

#include <boost/asio/basic_waitable_timer.hpp>

#include "adapters/redis/call.hpp"
#include "adapters/redis/client.hpp"
#include "adapters/redis/reply.hpp"
#include "adapters/redis/wire.hpp"
#include "base/mutex.hpp"

namespace sluice::redis {

/// The connection of one event loop to Redis, made anew whenever it ends. Calls are sent as they
/// come, without waiting for the answers to earlier ones. Everything except health() happens on the
/// loop's thread.
///
/// If a call was sent and is not answered in time, its outcome is unknown, and so is that of all
/// calls after it: the connection is given up, since we cannot know when its server will go on.
/// While the first attempt to connect is under way, calls wait for it; after a failed attempt they
/// are refused at once.
class Link : public std::enable_shared_from_this<Link> {
  public:
    /// Options and context outlive it.
    Link(const Options& options, boost::asio::ssl::context* tls, AsioLoop& loop);

    void start();
    /// `done` is called when nothing runs any more. Calls that wait for an answer become unknown.
    void stop(std::move_only_function<void()> done);

    AsioLoop& loop() { return loop_; }
    /// `done` is called later, on the loop, unless this throws Overload or Outage.
    void send(Call call, Completion<Reply> done);
    /// From any thread.
    LinkHealth health() const;

  private:
    using Clock = std::chrono::steady_clock;
    using Timer =
        boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, AsioExecutor>;
    enum class State {
        connecting,  // first attempt since the last connection
        open,
        away,  // the last attempt has failed
    };
    struct Sent {
        Call call;
        Completion<Reply> done;
        Clock::time_point deadline;
        bool is_repeated = false;  // run again after its script was loaded
    };
    /// Kept by whatever is under way on it, even when the link has another one by now.
    struct Connection {
        Connection(AsioLoop& loop, boost::asio::ssl::context* tls, std::size_t longest_reply)
            : wire(loop, tls), reader(longest_reply) {}

        Wire wire;
        ReplyReader reader;
        std::string run;
        std::string outgoing, being_written;
        std::vector<char> incoming = std::vector<char>(64 * 1024);
    };

    Flow<> live();
    Flow<> connect();
    Flow<> greet();
    Flow<std::vector<Reply>> ask(std::string commands, std::size_t answers);
    Flow<> receive();
    Flow<> pause();

    void transmit(Sent sent);
    void flush();
    void take(Reply reply);
    void take_error(Sent sent, std::string error);
    void lose(const std::string& reason, State next);
    void watch_deadlines();
    void expire();
    void beat();
    void on_heartbeat(const Reply& info);

    const Options& options_;
    boost::asio::ssl::context* const tls_;
    AsioLoop& loop_;
    State state_ = State::connecting;
    bool is_stopped_ = false;
    std::move_only_function<void()> when_stopped_;
    std::size_t attempts_ = 0;
    std::int64_t failures_ = 0;  // failures in a row

    std::shared_ptr<Connection> connection_;
    std::deque<Sent> waiting_;  // for a connection
    std::deque<Sent> in_flight_;
    bool is_watching_ = false;
    Timer deadline_, heartbeat_, pause_;

    mutable Mutex mutex_;
    LinkHealth health_ GUARDED_BY(mutex_);
};

}  // namespace sluice::redis
