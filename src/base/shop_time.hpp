#pragma once

#include <chrono>
#include <optional>

#include "base/timestamp.hpp"

namespace sluice {

/// The readings of a machine's two clocks at one instant.
struct ClockReading {
    std::chrono::nanoseconds wall;  // since 1970; people, NTP and hypervisors may set it
    std::chrono::nanoseconds boot;  // since the machine started, also while it was suspended
    bool synchronised = false;      // the kernel says that a time service keeps `wall` right
};

/// The time of an earlier process, which this one continues.
struct FormerTime {
    std::chrono::nanoseconds boot;  // when it was noted
    std::chrono::nanoseconds shop;  // the shop's time at that instant
    bool same_boot = false;         // false: `boot` says nothing about this machine's clock
    bool relied_on = true;          // false: see ShopTime::is_relied_on
};

/// Who would notice it if the shop's time were set to the wall clock's now. True when that is not
/// known.
struct Stakes {
    /// Somebody has a pass or a pending order.
    bool promises = true;
    /// A sale is open at one of the two times or in between, or a refund or a delivery waits.
    bool due = true;
};

/// Decides what time it is in the shop when the wall clock steps. The shop's time is the time since
/// the machine's start plus an offset. The offset follows the wall clock, but not at once:
///
/// - A difference up to `tolerance` is followed smoothly.
/// - A larger one is a suspected step. It is not followed for `patience`; when it is taken back
///   until then, nothing has happened.
/// - A step that lasts is followed: the shop's time runs faster or slower by a tenth, until both
///   agree. So it never goes back, and no hold is shorter than ten elevenths of its length.
/// - Only when the time of the start may have been wrong and nobody relies on it (see may_be_set in
///   the source) it is set at once, after `quick_patience` or `patience`.
///
/// It reads no clock and knows no threads: readings are arguments.
class ShopTime {
  public:
    using Duration = std::chrono::nanoseconds;

    struct Rules {
        Duration tolerance = std::chrono::milliseconds{500};
        Duration patience = std::chrono::seconds{60};
        Duration quick_patience = std::chrono::seconds{5};
        /// A time that has agreed with the wall clock for this long counts as proven.
        Duration unproven = std::chrono::seconds{60};
        /// A machine that has run for less may not have a right clock yet.
        Duration young_machine = std::chrono::minutes{5};
        /// For this long after the start a step may correct the time although somebody has relied
        /// on it. On a machine that had just started, sales may be open too early for this long.
        Duration fresh_start = std::chrono::hours{1};
        /// An earlier time that is older than this is not continued: its holds are over, and the
        /// clock may have been corrected while no server ran.
        Duration oldest_former = std::chrono::hours{1};
    };
    /// The shop's time runs faster or slower by at most one part in so many.
    static constexpr int kSlewDivisor = 10;
    /// No shop has existed before this: a clock that shows less has not been set.
    static constexpr Timestamp kNeverBefore =
        std::chrono::sys_days{std::chrono::year{2025} / 1 / 1};

    ShopTime(const Rules& rules, ClockReading start, std::optional<FormerTime> former = {});

    enum class State { agrees, suspected, following };
    enum class Event {
        none,
        suspected,  // a step; or another one while one was suspected or followed
        following,  // it has lasted
        agrees,     // it was taken back, or has been followed to its end
        moved       // the time of the start was wrong and has been set
    };
    /// Takes new readings of the clocks; several times a second. `reading.boot` never goes back.
    /// `stakes` are used while is_in_doubt() and the state is not `agrees`.
    Event observe(ClockReading reading, Stakes stakes = {});

    /// Somebody was promised something by this time.
    void rely() { relied_ = true; }

    State state() const { return state_; }
    /// The shop's time less the time since the machine's start.
    Duration offset() const { return offset_; }
    /// By how much the wall clock was ahead of the shop's time at the last reading.
    Duration difference() const { return difference_; }
    /// By how much the shop's time was behind the last recorded time at the last reading; zero when
    /// it was not.
    Duration behind_record() const { return behind_record_; }
    /// Continues the time of an earlier process.
    bool continues() const { return continues_; }
    /// Whether the suspected step may correct a wrong start.
    bool is_in_doubt() const;
    /// False: only the wall clock at the start has confirmed this time, and nobody has relied on
    /// it. A process that continues it may still find it wrong.
    bool is_relied_on() const { return relied_ || !began_in_doubt_ || confirmed_; }
    /// The time of the start, or one that was set since, has not lasted long enough to count as
    /// proven: what cannot be undone should wait.
    bool is_unproven() const { return is_unproven_; }

  private:
    bool may_be_set(ClockReading reading, Stakes stakes) const;
    bool is_evident(ClockReading reading) const;
    bool may_be_open_too_early() const;
    bool is_just_booted() const;
    void set(ClockReading reading);
    void approach(Duration target, Duration elapsed);
    void look(ClockReading reading);
    bool has_yet_to_prove(Duration boot) const;

    /// The last time that it was set.
    struct Move {
        Duration at;    // since the machine's start
        Duration from;  // the offset before
    };

    const Rules rules_;
    const Duration started_;
    const bool continues_;  // the line of a former process
    const bool began_in_doubt_;
    const Duration last_record_;  // of another line; zero: none
    bool relied_ = false;
    bool confirmed_ = false;  // by the kernel
    State state_ = State::agrees;
    Duration offset_;
    Duration suspect_{};  // the offset that the wall clock asks for, since `since_`
    Duration since_{};
    Duration seen_;  // `boot` of the last reading
    std::optional<Move> move_;
    Duration difference_{};
    Duration behind_record_{};
    bool is_unproven_ = true;
};

}  // namespace sluice
