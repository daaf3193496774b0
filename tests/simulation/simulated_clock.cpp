#include "simulation/simulated_clock.hpp"

#include <algorithm>

namespace sluice::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Timestamp kBegin = from_millis(1'794'513'600'000);
constexpr milliseconds kFirstBoot{1'000'000};
// The server looks four times a second. While an hour passes in one step, once a second is enough.
constexpr milliseconds kLook{250};
constexpr milliseconds kSparseLook{1'000};
constexpr milliseconds kLongMove{60'000};
constexpr milliseconds kTolerance{600};  // what is followed smoothly, and a little

Timestamp to_timestamp(ShopTime::Duration since_1970) {
    return Timestamp{std::chrono::floor<milliseconds>(since_1970)};
}

}  // namespace

SimulatedClock::SimulatedClock(bool trusts_wall) : trusts_wall_(trusts_wall), least_(kBegin) {
    const FormerTime note{.boot = boot_, .shop = true_time().time_since_epoch(), .same_boot = true};
    time_.emplace(ShopTime::Rules{}, reading(), note);
    look();
    seen_ = now();
}

Timestamp SimulatedClock::true_time() const {
    return kBegin + (boot_ - kFirstBoot);
}

ClockReading SimulatedClock::reading() const {
    return {.wall = true_time().time_since_epoch() + ahead_, .boot = boot_};
}

Timestamp SimulatedClock::now() const {
    if (trusts_wall_) return to_timestamp(reading().wall);
    return std::max(least_, to_timestamp(boot_ + time_->offset()));
}

void SimulatedClock::look() {
    time_->observe(reading());
    was_followed_ |= time_->state() == ShopTime::State::following;
    if (!trusts_wall_) least_ = now();
}

void SimulatedClock::move(milliseconds by) {
    const auto longest = by > kLongMove ? kSparseLook : kLook;
    const auto until = now() + by;
    while (now() < until) {
        boot_ += std::min(until - now(), longest);
        look();
    }
}

void SimulatedClock::step(milliseconds by) {
    ahead_ += by;
    look();
}

void SimulatedClock::restart() {
    const FormerTime note{.boot = boot_, .shop = boot_ + time_->offset(), .same_boot = true};
    time_.emplace(ShopTime::Rules{}, reading(), note);
}

std::optional<std::string> SimulatedClock::complaint() {
    const auto shown = now();
    const auto back = seen_ - shown;
    seen_ = shown;
    if (back.count() > 0)
        return "the shop's time went back by " + std::to_string(back.count()) + " ms";
    const auto off = shown - true_time();
    if (was_followed_ || abs(off) <= kTolerance) return std::nullopt;
    return "the shop's time is off by " + std::to_string(off.count()) +
           " ms, and no step of the wall clock has lasted for a minute";
}

}  // namespace sluice::simulation
