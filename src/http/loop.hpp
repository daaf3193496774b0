#pragma once

#include <array>
#include <list>
#include <memory>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "config/config.hpp"
#include "http/connection.hpp"
#include "http/lag.hpp"
#include "http/places.hpp"
#include "http/representation.hpp"
#include "observe/log.hpp"
#include "observe/refusal_metrics.hpp"
#include "observe/request_metrics.hpp"

namespace sluice::http {

/// What all connections share.
struct Site {
    const Config::Http& limits;
    const Config::Streams& stream_limits;
    bool https;  // browsers reach us by https
    RequestMetrics& metrics;
    RefusalMetrics& refusals;
    std::size_t unrouted;  // where requests without a route are counted
    Log& log;
};

/// The event loop of one thread, with the connections that live on it. One coarse timer watches
/// over all of them, instead of one timer for each.
class Loop {
  public:
    Loop(unsigned index, const Site& site, std::uint64_t seed);

    /// Runs until drained. `on_end` is called when no connection is left and none will come.
    void run(std::function<void(AsioLoop&)> on_end);

    /// Takes a connection over, and has its requests answered by `answering`, which outlives the
    /// run. From any thread.
    void adopt(Socket socket, Address peer, Surfaces surfaces, const Answering& answering,
               Places& places, std::shared_ptr<Seat> seat);
    /// Closes the connection that sits there, if it can still be spared, or after its answer if it
    /// has to leave. From any thread.
    void ask_to_close(std::shared_ptr<Seat> seat);
    /// From now on a connection is kept only for its present request, and at most for `within`.
    /// From any thread.
    void drain(std::chrono::seconds within);
    /// Closes the connections that are left. From any thread.
    void cut_off();

    boost::asio::io_context& context() { return context_; }
    AsioLoop& executor() { return executor_; }

    // For this loop's connections.
    unsigned index() const { return index_; }
    const Config::Http& limits() const { return site_.limits; }
    const Config::Streams& stream_limits() const { return site_.stream_limits; }
    bool https() const { return site_.https; }
    void condense(Exchange& exchange) { condenser_.condense(exchange); }
    void record(const Exchange& exchange, std::chrono::nanoseconds took);
    /// Counts a refusal of a client whose request was not read.
    void record_refusal(Code code);
    /// Counts an answer that was begun and cannot be finished.
    void report_broken(const Exchange& exchange, std::string_view reason);
    RequestIds& request_ids() { return request_ids_; }
    std::string_view date() const { return {date_.data(), date_.size()}; }
    std::chrono::steady_clock::time_point now() const { return now_; }
    bool draining() const { return draining_; }
    std::chrono::milliseconds lag() const { return lag_.lasting(); }

  private:
    using Timer =
        boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                          boost::asio::wait_traits<std::chrono::steady_clock>,
                                          AsioExecutor>;

    void start_ticking();
    void tick();
    void end_if_empty();

    const unsigned index_;
    const Site& site_;
    boost::asio::io_context context_{1};
    AsioLoop executor_{context_};
    boost::asio::executor_work_guard<AsioExecutor> busy_;
    Timer ticker_;
    RequestIds request_ids_;

    // Used by this loop's thread only.
    std::function<void(AsioLoop&)> on_end_;  // until it was called
    std::list<Connection> mine_;
    std::chrono::steady_clock::time_point now_;
    Lag lag_;
    Condenser condenser_;
    std::array<char, 29> date_{};
    bool draining_ = false;
    std::chrono::steady_clock::time_point drain_deadline_;
};

}  // namespace sluice::http
