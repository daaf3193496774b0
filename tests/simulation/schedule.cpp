#include "simulation/schedule.hpp"

#include <boost/asio/co_spawn.hpp>

namespace sluice::simulation {

Schedule::~Schedule() {
    parked_.clear();
    // Asio unwinds a coroutine whose handler was dropped by way of its loop.
    settle_down();
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
    boost::asio::co_spawn(loop_, std::move(task), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
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
    loop_.restart();
    loop_.poll();
}

}  // namespace sluice::simulation
