#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <thread>

#include <boost/asio/signal_set.hpp>

#include "base/asio_loop.hpp"
#include "workers/periodic.hpp"

namespace sluice {

/// The thread behind the scenes: it runs the workers and hears the signals.
class Keeper {
  public:
    explicit Keeper(Log& log);
    ~Keeper();

    /// Before start().
    Periodic& employ(std::string name, std::chrono::milliseconds pause,
                     std::function<Task<>()> step);
    Periodic& employ(std::string name, std::chrono::milliseconds longest,
                     std::function<Task<std::chrono::milliseconds>()> step);

    struct Signals {
        std::function<void()> on_end;     // SIGTERM and SIGINT
        std::function<void()> on_reload;  // SIGHUP
    };
    /// From now on each signal calls what is given for it, each time one comes. Those must not
    /// throw.
    void start(Signals signals);

    AsioLoop& loop() { return loop_; }

    /// Returns when every worker has finished its step and the thread has ended.
    void stop();

  private:
    void hear_signal();
    Task<> close();

    Log& log_;
    boost::asio::io_context context_{1};
    AsioLoop loop_{context_};
    boost::asio::signal_set signals_;
    Signals heard_;
    std::list<Periodic> workers_;
    std::thread thread_;
};

}  // namespace sluice
