#include "workers/periodic.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace sluice {

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

void Periodic::start(Executor& loop) {
    CHECK(!running_, "a worker runs once");
    loop_ = &loop;
    running_ = true;
    loop.post([this, &loop] {
        start_task(loop, run(), [this](std::exception_ptr) {
            running_ = false;
            end_.end();
        });
    });
}

void Periodic::wake() {
    auto* const loop = loop_.load();
    if (!loop) return;
    loop->post([this] {
        woken_ = true;
        pause_.end();
    });
}

Task<> Periodic::stop() {
    stopping_ = true;
    pause_.end();
    if (running_) co_await end_.sleep();
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
        co_await pause_.sleep(std::min(pause, longest_));
    }
}

}  // namespace sluice
