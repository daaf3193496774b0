#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "base/mutex.hpp"
#include "base/shop_time.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// CLOCK_REALTIME.
ShopTime::Duration read_wall_clock();

/// Whether the kernel says that a time service keeps that clock right. Not every service reports
/// it, so false means little.
bool is_wall_clock_synchronised();

/// The same, from the return value of adjtimex() and the maximum error that it reported. chrony
/// without `rtcsync` never clears the flag for a clock that is not synchronised, but reports the
/// maximum error.
bool is_kept_right(int state, std::chrono::microseconds most_error);

/// The shop's time on this machine: CLOCK_BOOTTIME plus an offset that ShopTime decides. Only
/// watch() changes the offset, so in a process that never calls it the offset stays as at the
/// start.
class ShopClock final : public Clock {
  public:
    struct Options {
        std::filesystem::path note;  // where a server notes its time; see clock_note.hpp
        ShopTime::Rules rules{};
        bool trust_wall = false;  // at the start, whatever the note says
        std::function<ShopTime::Duration()> wall = read_wall_clock;  // since 1970
        std::function<bool()> synchronised = is_wall_clock_synchronised;
    };
    explicit ShopClock(const Options& options);

    Timestamp now() const override;

    /// The best guess at what others take for the time: the shop's own time or, if the wall clock
    /// has proved to differ permanently, the wall clock's.
    const Clock& outside() const { return outside_; }

    /// Compares the clocks; several times a second, on one thread.
    ShopTime::Event watch(Stakes stakes = {});

    /// Notes the time for the next process. False when that failed: errno has the reason.
    bool note() const;

    /// Somebody was promised something by this time. From any thread; cheap.
    void rely() {
        if (!relied_.load(std::memory_order_relaxed)) relied_ = true;
    }

    struct Status {
        ShopTime::State state = ShopTime::State::agrees;
        ShopTime::Duration difference{};     // the wall clock is ahead by so much
        ShopTime::Duration behind_record{};  // the shop's time is behind the last noted one
        bool continues = false;              // see ShopTime, like the next three
        bool in_doubt = false;
        bool relied_on = false;
        bool unproven = false;
        std::uint64_t steps = 0;  // suspected since the start
    };
    /// As of the last watch(). From any thread.
    Status status() const;

  private:
    class Outside final : public Clock {
      public:
        explicit Outside(const ShopClock& clock) : clock_(clock) {}
        Timestamp now() const override;

      private:
        const ShopClock& clock_;
    };

    ClockReading read() const;
    void publish(bool may_go_back) REQUIRES(mutex_);

    const std::filesystem::path note_;
    const std::function<ShopTime::Duration()> wall_;
    const std::function<bool()> synchronised_;
    const Outside outside_{*this};
    std::atomic<bool> relied_ = false;

    // Every request reads these two. The time is never before `least_`: while the offset shrinks,
    // the time stands still for some milliseconds instead of going back.
    std::atomic<std::int64_t> offset_ = 0;
    std::atomic<std::int64_t> least_ = 0;

    mutable Mutex mutex_;
    ShopTime time_ GUARDED_BY(mutex_);
    std::uint64_t steps_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
