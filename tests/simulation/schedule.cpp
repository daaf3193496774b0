#include "simulation/schedule.hpp"

namespace sluice::simulation {

Schedule::~Schedule() {
    drop_all();
}

void Schedule::drop_all() {
    parked_.clear();
    // A coroutine whose completion was dropped is destroyed by its loop.
    loop_.poll();
}

Task<> Schedule::pause(std::string what) {
    if (calm_) co_return;
    auto start = [this, what = std::move(what)](Completion<Done> resume) mutable {
        park(std::move(what), [resume = std::move(resume)]() mutable { resume(nullptr, Done{}); });
    };
    co_await await_completion<Done>(std::move(start));
}

void Schedule::park(std::string what, std::move_only_function<void()> deed) {
    if (calm_)
        deed();
    else
        parked_.push_back({std::move(what), std::move(deed)});
}

void Schedule::start(Task<> task) {
    loop_.post([this, task = std::move(task)]() mutable {
        start_task(loop_, std::move(task), [this](std::exception_ptr failure) {
            if (failure) failure_ = failure;
        });
    });
}

std::string Schedule::step() {
    const auto at = parked_.begin() + static_cast<std::ptrdiff_t>(chance_.index(parked_.size()));
    auto picked = std::move(*at);
    parked_.erase(at);
    picked.deed();
    settle_down();
    return picked.what;
}

void Schedule::settle_down() {
    loop_.poll();
    if (const auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
}

}  // namespace sluice::simulation
