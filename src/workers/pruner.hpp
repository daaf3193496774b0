#pragma once

#include <chrono>
#include <optional>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task.hpp"
#include "ports/clock.hpp"
#include "ports/receipt.hpp"
#include "ports/session_ledger.hpp"

namespace sluice {

/// Every minute forgets the sessions that have expired and the receipts whose day is over, in
/// bites small enough that a purchase waits behind one unnoticed. Both are invisible from their
/// last instant on anyway: this only gives their space back.
class Pruner {
  public:
    Pruner(const Clock& clock, SessionLedger& sessions, ReceiptLedger& receipts)
        : clock_(clock), sessions_(sessions), receipts_(receipts) {}
    /// Not before stop() has returned, when it was started.
    ~Pruner();
    Pruner(const Pruner&) = delete;
    Pruner& operator=(const Pruner&) = delete;

    /// Runs on this event loop from now on, beginning with a first round. Called on that loop or
    /// before it runs.
    void start(boost::asio::io_context& loop);

    /// Awaited on the loop it was started on: returns once no round is under way and none will be.
    /// Without effect when it was not started.
    Task<> stop();

    /// One round. Throws Outage or Overload.
    Task<> prune_once();

  private:
    using Timer = boost::asio::basic_waitable_timer<
        std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

    Task<> run();

    const Clock& clock_;
    SessionLedger& sessions_;
    ReceiptLedger& receipts_;

    // The event loop's own:
    std::optional<Timer> next_round_;
    std::optional<Timer> end_;  // never due; gone when run() has returned
    bool running_ = false;
    bool stopping_ = false;
};

}  // namespace sluice
