#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

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

    /// From now on SIGTERM and SIGINT call `on_signal`, each time one comes.
    void start(std::function<void()> on_signal);

    /// Returns when every worker has finished its step and the thread has ended.
    void stop();

  private:
    void hear_signal();
    Task<> close();

    Log& log_;
    boost::asio::io_context loop_{1};
    boost::asio::signal_set signals_;
    std::function<void()> on_signal_;
    std::list<Periodic> workers_;
    std::thread thread_;
};

}  // namespace sluice
