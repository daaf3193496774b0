#pragma once

#include <chrono>
#include <optional>

#include "base/timestamp.hpp"

namespace sluice {

/// What the two clocks of a machine show at one instant.
struct ClockReading {
    std::chrono::nanoseconds wall;  // since 1970; people, NTP and hypervisors may set it
    std::chrono::nanoseconds boot;  // since the machine started, also while it was suspended
};

/// A former process's time, from which this one goes on.
struct FormerTime {
    std::chrono::nanoseconds boot;  // when it was noted
    std::chrono::nanoseconds shop;  // the shop's time at that instant
    bool same_boot = false;         // false: `boot` says nothing about this machine's clock
};

/// Decides what time it is in the shop when the wall clock steps. The shop's time is the time since
/// the machine's start plus an offset. The offset follows the wall clock, but not at once:
///
/// - A difference up to `tolerance` is followed smoothly.
/// - A larger one is a suspected step. It is not followed for `patience`; when it is taken back
///   until then, nothing has happened.
/// - A step that lasts is followed: the shop's time runs faster or slower by a tenth, until both
///   agree. So it never goes back, and no hold is shorter than ten elevenths of its length.
/// - Only when the time of the start was wrong (see is_quick in the source) it is set at once,
/// after
///   `quick_patience`.
///
/// It reads no clock and knows no threads: readings are arguments.
class ShopTime {
  public:
    using Duration = std::chrono::nanoseconds;

    struct Rules {
        Duration tolerance = std::chrono::milliseconds{500};
        Duration patience = std::chrono::seconds{60};
        Duration quick_patience = std::chrono::seconds{5};
        /// So long after its start a process may find out that the time of its start was wrong.
        Duration unproven = std::chrono::seconds{60};
        /// A machine that has run for less may have no right clock yet.
        Duration young_machine = std::chrono::minutes{5};
        /// A former time that is older is not continued: holds of then are over, and the clock was
        /// perhaps set right while no server ran.
        Duration oldest_former = std::chrono::hours{1};
    };
    /// The shop's time runs faster or slower by one part in so many at most.
    static constexpr int kSlewDivisor = 10;
    /// No shop has run before: a clock that shows less has not been set.
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
    /// Takes the clocks into account; several times a second. `reading.boot` does not go back.
    Event observe(ClockReading reading);

    /// Somebody was promised something by this time, so it is not set back any more, unless the
    /// machine has just started.
    void rely() { relied_ = true; }

    State state() const { return state_; }
    /// The shop's time less the time since the machine's start.
    Duration offset() const { return offset_; }
    /// By how much the wall clock was ahead of the shop's time at the last reading.
    Duration difference() const { return difference_; }
    /// By how much the shop's time was behind the last time on record at the last reading; zero
    /// when it was not.
    Duration behind_record() const { return behind_record_; }
    /// Nothing but the wall clock has said so far that the time of the start was right: no former
    /// process, and it has not lasted for a minute yet.
    bool is_unproven() const { return is_unproven_; }

  private:
    bool is_quick(ClockReading reading) const;
    void approach(Duration target, Duration elapsed);
    void look(ClockReading reading);

    const Rules rules_;
    const Duration started_;
    const bool continues_;        // the line of a former process
    const Duration last_record_;  // zero: none
    bool relied_ = false;
    State state_ = State::agrees;
    Duration offset_;
    Duration suspect_{};  // the offset that the wall clock asks for, since `since_`
    Duration since_{};
    Duration seen_;           // `boot` of the last reading
    Duration before_move_{};  // the shop's time before it was set back
    Duration difference_{};
    Duration behind_record_{};
    bool is_unproven_ = true;
};

}  // namespace sluice
