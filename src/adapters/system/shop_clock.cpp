#include "adapters/system/shop_clock.hpp"

#include <algorithm>
#include <ctime>

#include <sys/timex.h>

#include "adapters/system/clock_note.hpp"

namespace sluice {
namespace {

using Duration = ShopTime::Duration;

/// Readings that are further apart are not comparable, because the thread was interrupted between
/// them.
constexpr Duration kCloseReadings = std::chrono::milliseconds{2};
constexpr int kMostReadings = 5;

/// After a step the kernel reports 16 s, until a time service reports a smaller error.
constexpr std::chrono::seconds kSmallError{1};

Duration read_clock(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return std::chrono::seconds{now.tv_sec} + Duration{now.tv_nsec};
}

Duration since_boot() {
    return read_clock(CLOCK_BOOTTIME);
}

Timestamp to_timestamp(Duration since_1970) {
    return Timestamp{std::chrono::floor<std::chrono::milliseconds>(since_1970)};
}

/// A clock that is to be trusted counts like a note that was made just now.
std::optional<FormerTime> former_time(const ShopClock::Options& options, ClockReading start) {
    if (options.trust_wall)
        return FormerTime{.boot = start.boot, .shop = start.wall, .same_boot = true};
    return read_clock_note(options.note);
}

ShopTime first_time(const ShopClock::Options& options, ClockReading start) {
    return ShopTime(options.rules, start, former_time(options, start));
}

}  // namespace

Duration read_wall_clock() {
    return read_clock(CLOCK_REALTIME);
}

bool is_wall_clock_synchronised() {
    timex status{};  // only asks, changes nothing
    const int state = adjtimex(&status);
    return is_kept_right(state, std::chrono::microseconds{status.maxerror});
}

bool is_kept_right(int state, std::chrono::microseconds most_error) {
    if (state < 0) return false;  // it may not be asked
    if (state != TIME_ERROR) return true;
    return most_error > most_error.zero() && most_error < kSmallError;
}

ShopClock::ShopClock(const Options& options)
    : note_(options.note),
      wall_(options.wall),
      synchronised_(options.synchronised),
      time_(first_time(options, read())) {
    publish(true);
}

Timestamp ShopClock::now() const {
    const auto offset = offset_.load(std::memory_order_acquire);
    const Duration least{least_.load(std::memory_order_relaxed)};
    return to_timestamp(std::max(least, since_boot() + Duration{offset}));
}

ShopTime::Event ShopClock::watch(Stakes stakes) {
    const auto reading = read();
    const MutexLock lock(mutex_);
    if (relied_) time_.rely();
    const auto event = time_.observe(reading, stakes);
    if (event == ShopTime::Event::suspected) ++steps_;
    publish(event == ShopTime::Event::moved);
    return event;
}

/// Not under the lock: the disk may be slow, and other threads read the status meanwhile.
bool ShopClock::note() const {
    const auto boot = since_boot();
    const Duration offset{offset_.load(std::memory_order_acquire)};
    return write_clock_note(
        note_,
        {.boot = boot, .shop = boot + offset, .same_boot = true, .relied_on = status().relied_on});
}

ShopClock::Status ShopClock::status() const {
    const MutexLock lock(mutex_);
    return {.state = time_.state(),
            .difference = time_.difference(),
            .behind_record = time_.behind_record(),
            .continues = time_.continues(),
            .in_doubt = time_.is_in_doubt(),
            .relied_on = relied_ || time_.is_relied_on(),
            .unproven = time_.is_unproven(),
            .steps = steps_};
}

Timestamp ShopClock::Outside::now() const {
    const bool left = clock_.status().state == ShopTime::State::following;
    return left ? to_timestamp(clock_.wall_()) : clock_.now();
}

ClockReading ShopClock::read() const {
    for (int tries = 1;; ++tries) {
        const auto before = since_boot();
        const auto wall = wall_();
        const auto after = since_boot();
        if (after - before <= kCloseReadings || tries == kMostReadings)
            return {.wall = wall, .boot = after, .synchronised = synchronised_()};
    }
}

/// A thread that sees the new offset sees the new least time too.
void ShopClock::publish(bool may_go_back) {
    const auto offset = time_.offset().count();
    const auto before = offset_.load(std::memory_order_relaxed);
    if (offset == before) return;
    const auto boot = since_boot().count();
    const auto shown = std::max(least_.load(std::memory_order_relaxed), boot + before);
    least_.store(may_go_back ? boot + offset : shown, std::memory_order_relaxed);
    offset_.store(offset, std::memory_order_release);
}

}  // namespace sluice
