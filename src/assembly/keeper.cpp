#include "assembly/keeper.hpp"

#include <csignal>

#include <pthread.h>

namespace sluice {

Keeper::Keeper(Log& log) : log_(log), signals_(context_, SIGTERM, SIGINT, SIGHUP) {}

Periodic& Keeper::employ(std::string name, std::chrono::milliseconds pause,
                         std::function<Task<>()> step) {
    workers_.push_back(&own_.emplace_back(std::move(name), pause, std::move(step), log_));
    return own_.back();
}

Periodic& Keeper::employ(std::string name, std::chrono::milliseconds longest,
                         std::function<Task<std::chrono::milliseconds>()> step) {
    workers_.push_back(&own_.emplace_back(std::move(name), longest, std::move(step), log_));
    return own_.back();
}

Keeper::Run Keeper::start(Signals signals) {
    heard_ = std::move(signals);
    hear_signal();
    for (auto* worker : workers_) worker->start(loop_);
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "keeper");
        context_.run();
    });
    return Run(*this);
}

void Keeper::stop() {
    loop_.post(
        [this] { start_task(loop_, close(), [this](std::exception_ptr) { signals_.cancel(); }); });
    thread_.join();
}

Task<> Keeper::close() {
    for (auto* worker : workers_) co_await worker->stop();
}

void Keeper::hear_signal() {
    signals_.async_wait([this](boost::system::error_code error, int signal) {
        if (error) return;
        log_.info("server.signal", {{"signal", signal}});
        signal == SIGHUP ? heard_.on_reload() : heard_.on_end();
        hear_signal();
    });
}

}  // namespace sluice
