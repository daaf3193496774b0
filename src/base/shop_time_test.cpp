#include "base/shop_time.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Duration = ShopTime::Duration;
using Event = ShopTime::Event;
using State = ShopTime::State;

constexpr Duration kNoon = 1'794'513'600s;  // since 1970
constexpr Duration kUptime = 10 * 24h;

/// A machine whose wall clock can be set, and the shop's time on it.
class Machine {
  public:
    explicit Machine(Duration uptime = kUptime, Duration wrong_by = 0s,
                     std::optional<FormerTime> former = {}, ShopTime::Rules rules = {})
        : uptime_(uptime), boot_(uptime), wrong_by_(wrong_by), time_(rules, reading(), former) {}

    /// Lets time pass with four readings a second; what came of them, without `none`.
    std::vector<Event> pass(Duration length) {
        std::vector<Event> events;
        const auto end = boot_ + length;
        while (boot_ < end) {
            boot_ = std::min(end, boot_ + 250ms);
            note(events, time_.observe(reading()));
        }
        return events;
    }
    /// Lets time pass without a reading, as in a stall or with the machine suspended.
    void sleep(Duration length) { boot_ += length; }
    void set_wall(Duration wrong_by) { wrong_by_ = wrong_by; }

    ShopTime& time() { return time_; }
    /// By how much the shop's time is ahead of the true time.
    Duration error() const { return boot_ + time_.offset() - truth(); }
    ClockReading reading() const { return {.wall = truth() + wrong_by_, .boot = boot_}; }
    FormerTime note() const { return {boot_, boot_ + time_.offset(), true}; }

  private:
    Duration truth() const { return kNoon + boot_ - uptime_; }
    static void note(std::vector<Event>& events, Event event) {
        if (event != Event::none) events.push_back(event);
    }

    const Duration uptime_;
    Duration boot_;
    Duration wrong_by_;
    ShopTime time_;
};

/// A machine that nobody doubts: somebody has bought by its time.
Machine relied_on() {
    Machine machine;
    machine.time().rely();
    machine.pass(1s);
    return machine;
}

TEST(ShopTime, IsTheWallClockThatNobodyTouches) {
    Machine machine;
    EXPECT_TRUE(machine.pass(1h).empty());
    EXPECT_EQ(machine.error(), 0s);
    EXPECT_EQ(machine.time().state(), State::agrees);
}

struct TakenBack {
    Duration step, after;
};
class StepTakenBack : public testing::TestWithParam<TakenBack> {};

TEST_P(StepTakenBack, ChangesNothing) {
    auto machine = relied_on();
    machine.set_wall(GetParam().step);
    EXPECT_EQ(machine.pass(GetParam().after), std::vector{Event::suspected});
    EXPECT_EQ(machine.error(), 0s);
    EXPECT_EQ(machine.time().difference(), GetParam().step);
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(10min), std::vector{Event::agrees});
    EXPECT_EQ(machine.error(), 0s);
}

INSTANTIATE_TEST_SUITE_P(Steps, StepTakenBack,
                         testing::Values(TakenBack{1h, 1500ms}, TakenBack{-1h, 1500ms},
                                         TakenBack{1h, 59'999ms}, TakenBack{-1h, 59'999ms},
                                         TakenBack{501ms, 30s}, TakenBack{-501ms, 30s},
                                         TakenBack{24h * 365, 59s}, TakenBack{-24h * 365, 59s}));

TEST(ShopTime, FollowsWhatLastsAMinute) {
    auto machine = relied_on();
    machine.set_wall(1h);
    // The first reading after the step is the first that shows it.
    EXPECT_EQ(machine.pass(250ms), std::vector{Event::suspected});
    EXPECT_TRUE(machine.pass(59'999ms).empty());
    EXPECT_EQ(machine.error(), 0s);
    EXPECT_EQ(machine.pass(1ms), std::vector{Event::following});
    EXPECT_EQ(machine.error(), 0s);
    machine.pass(10s);
    EXPECT_EQ(machine.error(), 1s);
    EXPECT_EQ(machine.time().state(), State::following);
}

TEST(ShopTime, ComesToAgreeAndStaysThere) {
    for (const auto step : {Duration{1h}, Duration{-1h}}) {
        auto machine = relied_on();
        machine.set_wall(step);
        machine.pass(61s);
        EXPECT_EQ(machine.pass(10h), std::vector{Event::agrees});
        EXPECT_EQ(machine.error(), step);
        EXPECT_EQ(machine.time().difference(), 0s);
    }
}

/// The bound that is promised: fifteen minutes on the shop's clock are never less than ten
/// elevenths of them in truth, and time never goes back.
TEST(ShopTime, NeverRunsFasterOrSlowerThanByATenth) {
    for (const auto step : {Duration{1h}, Duration{-1h}}) {
        auto machine = relied_on();
        machine.set_wall(step);
        for (int i = 0; i < 1000; ++i) {
            const auto before = machine.error();
            machine.pass(250ms);
            EXPECT_LE(abs(machine.error() - before), 25ms);
        }
    }
}

TEST(ShopTime, FollowsSmallDifferencesWithoutAWord) {
    for (const auto step : {Duration{500ms}, Duration{-500ms}, Duration{3ms}}) {
        auto machine = relied_on();
        machine.set_wall(step);
        EXPECT_TRUE(machine.pass(1s).empty());
        EXPECT_LE(abs(machine.error()), 100ms);
        EXPECT_TRUE(machine.pass(5s).empty());
        EXPECT_EQ(machine.error(), step);
    }
}

TEST(ShopTime, WaitsAnewWhenItStepsAgain) {
    auto machine = relied_on();
    machine.set_wall(1h);
    machine.pass(59s);
    machine.set_wall(2h);
    EXPECT_EQ(machine.pass(59s), std::vector{Event::suspected});
    EXPECT_EQ(machine.error(), 0s);
    EXPECT_EQ(machine.pass(2s), std::vector{Event::following});
}

TEST(ShopTime, StopsFollowingAClockThatStepsAgain) {
    auto machine = relied_on();
    machine.set_wall(1h);
    machine.pass(61s + 100s);
    const auto followed = machine.error();
    EXPECT_GT(followed, 9s);
    machine.set_wall(-1h);
    EXPECT_EQ(machine.pass(50s), std::vector{Event::suspected});
    EXPECT_EQ(machine.error(), followed);
    // What was taken back while it was followed is a step like any other.
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(50s), std::vector{Event::suspected});
    EXPECT_EQ(machine.pass(12s), std::vector{Event::following});
    EXPECT_EQ(machine.pass(5min), std::vector{Event::agrees});
    EXPECT_EQ(machine.error(), 0s);
}

TEST(ShopTime, TakesASuspendedMachineForNoStep) {
    auto machine = relied_on();
    machine.sleep(8h);
    EXPECT_TRUE(machine.pass(1min).empty());
    EXPECT_EQ(machine.error(), 0s);
}

TEST(ShopTime, ALeapSecondIsSpreadOverTenSeconds) {
    auto machine = relied_on();
    machine.set_wall(-1s);
    machine.pass(61s);
    EXPECT_EQ(machine.pass(10s), std::vector{Event::agrees});
    EXPECT_EQ(machine.error(), -1s);
}

struct WrongStart {
    const char* name;
    Duration uptime;
    Duration wrong_by;                  // at the start
    std::optional<Duration> last_note;  // of another boot, relative to the truth at the start
    bool relied;                        // somebody bought before the clock was set right
    bool quick;
};
class ClockSetRightAfterTheStart : public testing::TestWithParam<WrongStart> {};

TEST_P(ClockSetRightAfterTheStart, HealsWithinSecondsOrGradually) {
    const auto& given = GetParam();
    std::optional<FormerTime> former;
    if (given.last_note) former = FormerTime{kUptime, kNoon + *given.last_note, false};
    Machine machine(given.uptime, given.wrong_by, former);
    EXPECT_EQ(machine.error(), given.wrong_by);
    if (given.relied) machine.time().rely();
    EXPECT_TRUE(machine.pass(20s).empty());
    machine.set_wall(0s);
    machine.pass(250ms);
    EXPECT_TRUE(machine.pass(4'999ms).empty());
    const auto moved = machine.pass(1ms);
    EXPECT_EQ(!moved.empty() && moved.front() == Event::moved, given.quick);
    EXPECT_EQ(machine.error(), given.quick ? 0s : given.wrong_by);
    EXPECT_EQ(machine.time().state(), given.quick ? State::agrees : State::suspected);
}

INSTANTIATE_TEST_SUITE_P(
    Starts, ClockSetRightAfterTheStart,
    testing::Values(WrongStart{"ahead", kUptime, 1h, {}, false, true},
                    WrongStart{"ahead, but somebody relied on it", kUptime, 1h, {}, true, false},
                    WrongStart{"ahead after a boot, with buyers", 30s, 1h, {}, true, true},
                    WrongStart{"the machine is no longer young", 5min, 1h, {}, true, false},
                    WrongStart{"ahead after a boot, with a note of before", 30s, 1h, -3min, true,
                               true},
                    WrongStart{"behind, and nothing proves it", 30s, -1h, {}, false, false},
                    WrongStart{"behind what is on record", 30s, -1h, -3min, false, true},
                    WrongStart{"behind, but after what is on record", 30s, -1h, -2h, false, false},
                    WrongStart{"never set", kUptime, -kNoon, {}, true, true}),
    [](const auto& each) {
        std::string name = each.param.name;
        std::erase_if(name, [](char c) { return c == ','; });
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    });

TEST(ShopTime, BelievesAClockThatWasNeverSetWheneverItIs) {
    Machine machine(30s, -kNoon);
    machine.time().rely();
    EXPECT_TRUE(machine.pass(1h).empty());
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(6s), (std::vector{Event::suspected, Event::moved}));
    EXPECT_EQ(machine.error(), 0s);
}

TEST(ShopTime, IsUnprovenForOneMinute) {
    Machine machine(kUptime, 1h);
    machine.pass(59'999ms);
    EXPECT_TRUE(machine.time().is_unproven());
    machine.pass(1ms);
    EXPECT_FALSE(machine.time().is_unproven());
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(30s), std::vector{Event::suspected});
    EXPECT_EQ(machine.error(), 1h);
}

TEST(ShopTime, UndoesAMoveThatWasWrong) {
    Machine machine;
    machine.set_wall(-1h);
    EXPECT_EQ(machine.pass(6s), (std::vector{Event::suspected, Event::moved}));
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(6s), (std::vector{Event::suspected, Event::moved}));
    EXPECT_EQ(machine.error(), 0s);
}

TEST(ShopTime, GoesOnFromAFormerProcess) {
    auto former = relied_on();
    former.set_wall(1h);
    former.pass(30s);
    for (const auto wrong_by : {Duration{1h}, Duration{-1h}}) {
        // Its own uptime begins at the true noon, so the note is 31 s late there.
        Machine restarted(kUptime + 31s, wrong_by, former.note());
        EXPECT_EQ(restarted.error(), 31s);
        EXPECT_FALSE(restarted.time().is_unproven());
        EXPECT_EQ(restarted.pass(50s), std::vector{Event::suspected});
        EXPECT_EQ(restarted.error(), 31s);
    }
}

TEST(ShopTime, DoesNotGoOnFromANoteThatProvesNothing) {
    const FormerTime fresh{kUptime, kNoon + 1h, true};
    EXPECT_EQ(Machine(kUptime + 1h, 0s, fresh).error(), 2h);
    EXPECT_EQ(Machine(kUptime + 1h + 1ms, 0s, fresh).error(), 0s) << "too old";
    EXPECT_EQ(Machine(kUptime - 1ms, 0s, fresh).error(), 0s) << "of a clock that ran back";
    const FormerTime other{kUptime, kNoon + 1h, false};
    EXPECT_EQ(Machine(kUptime, 0s, other).error(), 0s) << "of another boot";
}

TEST(ShopTime, SaysHowFarItIsBehindTheRecord) {
    const FormerTime other{kUptime, kNoon + 10min, false};
    Machine machine(kUptime, 0s, other);
    EXPECT_EQ(machine.time().behind_record(), 10min - 500ms);
    machine.pass(10min);
    EXPECT_EQ(machine.time().behind_record(), 0s);
}

TEST(ShopTime, ShortPatienceIsQuickEnoughForTheStart) {
    ShopTime::Rules rules;
    rules.patience = 2s;
    Machine machine(kUptime, 0s, {}, rules);
    machine.time().rely();
    machine.set_wall(1h);
    EXPECT_EQ(machine.pass(2'250ms), (std::vector{Event::suspected, Event::following}));
}

}  // namespace
}  // namespace sluice
