#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/signal_set.hpp>

#include "base/asio_loop.hpp"
#include "workers/periodic.hpp"

namespace sluice {

/// The thread that runs the workers and receives the signals.
class Keeper {
  public:
    explicit Keeper(Log& log);

    // To be called before start(). What a worker uses outlives the run.
    void employ(Periodic& worker) { workers_.push_back(&worker); }
    Periodic& employ(std::string name, std::chrono::milliseconds pause,
                     std::function<Task<>()> step);
    Periodic& employ(std::string name, std::chrono::milliseconds longest,
                     std::function<Task<std::chrono::milliseconds>()> step);

    struct Signals {
        std::function<void()> on_end;     // SIGTERM and SIGINT
        std::function<void()> on_reload;  // SIGHUP
    };
    /// The workers run until this ends, which returns when each worker has finished its step and
    /// the thread has ended.
    class Run {
      public:
        explicit Run(Keeper& keeper) : keeper_(&keeper) {}
        Run(Run&& other) noexcept : keeper_(std::exchange(other.keeper_, nullptr)) {}
        Run& operator=(Run&&) = delete;
        ~Run() { end(); }
        void end() {
            if (auto* const keeper = std::exchange(keeper_, nullptr)) keeper->stop();
        }

      private:
        Keeper* keeper_;
    };
    /// From now on each signal calls its callback every time it comes. The callbacks must not
    /// throw.
    [[nodiscard]] Run start(Signals signals);

    AsioLoop& loop() { return loop_; }

  private:
    void stop();
    void hear_signal();
    Task<> close();

    Log& log_;
    boost::asio::io_context context_{1};
    AsioLoop loop_{context_};
    boost::asio::signal_set signals_;
    Signals heard_;
    std::list<Periodic> own_;
    std::vector<Periodic*> workers_;
    std::thread thread_;
};

}  // namespace sluice
