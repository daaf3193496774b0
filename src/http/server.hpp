#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "http/loop.hpp"

namespace sluice::http {

/// How many newcomers at a listener may wait for a place.
inline constexpr std::size_t kMostWaiting = 256;

/// A listener could not be opened; the message says which and why.
class CannotListen : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The threads, the listeners, and how they end.
class Server {
  public:
    /// Opens the listeners; nobody is answered before run().
    Server(const Config& config, unsigned threads, std::size_t max_connections, const Site& site,
           std::span<const std::uint64_t> seeds);
    ~Server();

    /// The addresses for shoppers and for operators: they differ when the office has its own
    /// listener.
    std::string shop_url() const;
    std::string office_url() const;

    std::size_t connections() const;
    /// How many connections were asked to leave for others.
    std::uint64_t asked_to_close() const;
    /// Those of the event loops, in their order.
    std::vector<Executor*> executors() const;
    std::vector<AsioLoop*> loops() const;
    bool draining() const { return draining_.load(std::memory_order_relaxed); }

    /// Answers requests until drained. Once.
    void run(const Answering& answering);

    /// Takes no new connections, finishes what is under way, and lets run() return. Connections
    /// that are not done when the configured time is over are closed. From any thread; the second
    /// call closes them at once.
    void drain();

  private:
    class Listener;
    class Reception;

    const Site site_;
    const std::chrono::seconds drain_time_;
    Places places_;
    std::optional<Places> office_places_;  // of the office's own listener
    std::atomic<bool> draining_{false};
    std::vector<std::unique_ptr<Loop>> loops_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::vector<std::unique_ptr<Reception>> receptions_;  // of the listeners, while it runs
};

}  // namespace sluice::http
