#include "workers/periodic.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>

#include "base/check.hpp"

namespace sluice {

namespace asio = boost::asio;

using std::chrono::milliseconds;

Periodic::Periodic(std::string name, milliseconds pause, std::function<Task<>()> step, Log& log)
    : Periodic(std::move(name), pause,
               std::function<Task<milliseconds>()>(
                   [pause, step = std::move(step)]() -> Task<milliseconds> {
                       co_await step();
                       co_return pause;
                   }),
               log) {}

Periodic::Periodic(std::string name, milliseconds longest, std::function<Task<milliseconds>()> step,
                   Log& log)
    : name_(std::move(name)), longest_(longest), step_(std::move(step)), log_(log) {}

Periodic::~Periodic() {
    CHECK(!running_, "a worker is stopped before it is destroyed");
}

void Periodic::start(asio::io_context& loop) {
    CHECK(!running_, "a worker runs once");
    next_.emplace(loop);
    end_.emplace(loop, Timer::time_point::max());
    running_ = true;
    asio::co_spawn(loop, run(), [this](std::exception_ptr) {
        running_ = false;
        end_->cancel();
    });
}

void Periodic::wake() {
    asio::post(next_->get_executor(), [this] {
        woken_ = true;
        next_->cancel();
    });
}

Task<> Periodic::stop() {
    stopping_ = true;
    if (next_) next_->cancel();
    while (running_) co_await end_->async_wait(asio::as_tuple(use_task));
    if (finish_) co_await finish_();
}

Task<> Periodic::run() {
    while (!stopping_) {
        woken_ = false;
        auto pause = longest_;
        try {
            pause = co_await step_();
        } catch (const std::exception& failure) {
            log_.warn("worker.failed", {{"worker", name_}, {"reason", failure.what()}});
        }
        if (stopping_ || woken_) continue;
        next_->expires_after(std::min(pause, longest_));
        co_await next_->async_wait(asio::as_tuple(use_task));
    }
}

}  // namespace sluice
