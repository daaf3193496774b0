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
constexpr Stakes kNothing{.promises = false, .due = false};
constexpr Stakes kOpenSale{.promises = false, .due = true};
constexpr Stakes kHold{.promises = true, .due = true};

/// A machine whose wall clock can be set, and the shop's time on it.
class Machine {
  public:
    explicit Machine(Duration uptime = kUptime, Duration wrong_by = 0s,
                     std::optional<FormerTime> former = {}, ShopTime::Rules rules = {},
                     bool synchronised = false)
        : uptime_(uptime),
          boot_(uptime),
          wrong_by_(wrong_by),
          synchronised_(synchronised),
          time_(rules, reading(), former) {}

    /// Lets time pass with four readings a second; what came of them, without `none`.
    std::vector<Event> pass(Duration length) {
        std::vector<Event> events;
        const auto end = boot_ + length;
        while (boot_ < end) {
            boot_ = std::min(end, boot_ + 250ms);
            note(events, time_.observe(reading(), stakes_));
        }
        return events;
    }
    /// Lets time pass without a reading, as in a stall or with the machine suspended.
    void sleep(Duration length) { boot_ += length; }
    void set_wall(Duration wrong_by) { wrong_by_ = wrong_by; }
    void set_synchronised(bool synchronised) { synchronised_ = synchronised; }
    void set_stakes(Stakes stakes) { stakes_ = stakes; }

    ShopTime& time() { return time_; }
    /// By how much the shop's time is ahead of the true time.
    Duration error() const { return boot_ + time_.offset() - truth(); }
    ClockReading reading() const {
        return {.wall = truth() + wrong_by_, .boot = boot_, .synchronised = synchronised_};
    }
    FormerTime note() const { return {boot_, boot_ + time_.offset(), true, time_.is_relied_on()}; }

  private:
    Duration truth() const { return kNoon + boot_ - uptime_; }
    static void note(std::vector<Event>& events, Event event) {
        if (event != Event::none) events.push_back(event);
    }

    const Duration uptime_;
    Duration boot_;
    Duration wrong_by_;
    bool synchronised_;
    Stakes stakes_ = kHold;
    ShopTime time_;
};

/// A machine by whose time somebody has bought.
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

/// Nobody has a pass or a hold, so the time might be set; but a sale is open or about to be.
TEST_P(StepTakenBack, ChangesNothingInAShopThatWaitsForBuyers) {
    Machine machine;
    machine.set_stakes(kOpenSale);
    EXPECT_TRUE(machine.pass(60s).empty());
    machine.set_wall(GetParam().step);
    EXPECT_EQ(machine.pass(GetParam().after), std::vector{Event::suspected});
    EXPECT_EQ(machine.error(), 0s);
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

enum class Heals { in_seconds, in_a_minute, gradually };

struct WrongStart {
    const char* name;
    Duration uptime;
    Duration wrong_by;  // at the start
    Stakes stakes;
    Heals heals;
    Duration right_after = 20s;              // the start
    std::optional<Duration> last_note = {};  // of another boot, relative to the truth at the start
    bool relied = false;                     // on the wrong time
    bool synchronised = false;               // the kernel says so once the clock is right
};
class ClockSetRightAfterTheStart : public testing::TestWithParam<WrongStart> {};

TEST_P(ClockSetRightAfterTheStart, HealsAsSoonAsNobodyCanBeHarmed) {
    const auto& given = GetParam();
    std::optional<FormerTime> former;
    if (given.last_note) former = FormerTime{kUptime, kNoon + *given.last_note, false};
    Machine machine(given.uptime, given.wrong_by, former);
    machine.set_stakes(given.stakes);
    EXPECT_EQ(machine.error(), given.wrong_by);
    if (given.relied) machine.time().rely();
    EXPECT_TRUE(machine.pass(given.right_after).empty());
    machine.set_wall(0s);
    machine.set_synchronised(given.synchronised);
    EXPECT_EQ(machine.pass(250ms), std::vector{Event::suspected});
    EXPECT_TRUE(machine.pass(4'999ms).empty());
    EXPECT_EQ(machine.error(), given.wrong_by);
    if (given.heals == Heals::in_seconds) {
        EXPECT_EQ(machine.pass(1ms), std::vector{Event::moved});
        EXPECT_EQ(machine.error(), 0s);
        EXPECT_EQ(machine.time().state(), State::agrees);
        return;
    }
    EXPECT_TRUE(machine.pass(55s).empty());
    const bool quick = given.heals == Heals::in_a_minute;
    EXPECT_EQ(machine.pass(1ms), std::vector{quick ? Event::moved : Event::following});
    EXPECT_EQ(machine.error(), quick ? 0s : given.wrong_by);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(
    Starts, ClockSetRightAfterTheStart,
    testing::Values(
        WrongStart{"first start behind", kUptime, -1h, kNothing, Heals::in_seconds},
        WrongStart{"first start behind with an open sale", kUptime, -1h, kOpenSale, Heals::in_a_minute},
        WrongStart{"first start behind with holds found", kUptime, -1h, kHold, Heals::gradually},
        WrongStart{"first start behind with nothing but holds found", kUptime, -1h, {.promises = true, .due = false}, Heals::gradually},
        WrongStart{"behind for long", kUptime, -1h, kNothing, Heals::in_seconds, 5h},

        WrongStart{"behind the record", 30s, -1h, kHold, Heals::in_seconds, 20s, -3min},
        WrongStart{"behind the record for long", 20s, -1h, kHold, Heals::in_seconds, 75s, -3min},
        WrongStart{"behind the record for hours", 20s, -1h, kHold, Heals::in_seconds, 5h, 5h - 20min},
        WrongStart{"behind the record and somebody bought", 20s, -1h, kHold, Heals::gradually, 75s, -3min, true},
        WrongStart{"behind but after what is on record", 30s, -1h, kOpenSale, Heals::in_a_minute, 20s, -2h},
        WrongStart{"behind a record of the future", 30s, -1h, kOpenSale, Heals::in_a_minute, 20s, 8h},

        WrongStart{"ahead", kUptime, 1h, kHold, Heals::in_seconds},
        WrongStart{"ahead and somebody bought", kUptime, 1h, kHold, Heals::gradually, 20s, {}, true},
        WrongStart{"ahead for a minute", kUptime, 1h, kOpenSale, Heals::in_a_minute, 60s},
        WrongStart{"ahead for long", kUptime, 8h, kNothing, Heals::in_seconds, 75s},
        WrongStart{"ahead after a boot", 20s, 8h, kHold, Heals::in_seconds, 75s},
        WrongStart{"ahead after a boot with a record", 20s, 8h, kHold, Heals::in_seconds, 75s, -3min},
        WrongStart{"ahead for an hour after a boot", 20s, 8h, kHold, Heals::in_a_minute, 1h},
        WrongStart{"just booted and somebody bought", 30s, 1h, kHold, Heals::in_seconds, 20s, {}, true},
        WrongStart{"booted a minute ago and somebody bought", 20s, 8h, kHold, Heals::gradually, 75s, {}, true},
        WrongStart{"booted five minutes ago and somebody bought", 5min, 1h, kHold, Heals::gradually, 20s, {}, true},

        WrongStart{"what was bought is settled", kUptime, -1h, kNothing, Heals::in_seconds, 30min, {}, true},
        WrongStart{"what was bought is settled and more is open", kUptime, -1h, kOpenSale, Heals::in_a_minute, 30min, {}, true},
        WrongStart{"they bought for an hour", kUptime, -1h, kNothing, Heals::gradually, 1h, {}, true},

        WrongStart{"behind and synchronised", kUptime, -1h, kHold, Heals::in_seconds, 5h, {}, false, true},
        WrongStart{"behind and synchronised and somebody bought", 20s, -1h, kHold, Heals::gradually, 75s, {}, true, true},
        WrongStart{"ahead and synchronised", kUptime, 8h, kHold, Heals::in_seconds, 5h, {}, false, true},
        WrongStart{"ahead and synchronised and somebody bought", 20s, 8h, kHold, Heals::in_seconds, 75s, {}, true, true},

        WrongStart{"never set", kUptime, -kNoon, kHold, Heals::in_seconds, 20s, {}, true}),
    [](const auto& each) {
        std::string name = each.param.name;
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    });
// clang-format on

TEST(ShopTime, BelievesAClockThatWasNeverSetWheneverItIs) {
    Machine machine(30s, -kNoon);
    machine.time().rely();
    EXPECT_TRUE(machine.pass(1h).empty());
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(6s), (std::vector{Event::suspected, Event::moved}));
    EXPECT_EQ(machine.error(), 0s);
}

/// A hold that was made by the wrong time keeps its length; then the time is set.
TEST(ShopTime, IsSetForwardWhenTheLastPromiseIsOver) {
    Machine machine(30s, -1h);
    machine.time().rely();
    machine.pass(20s);
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(15min), (std::vector{Event::suspected, Event::following}));
    EXPECT_LT(machine.error(), -58min);
    machine.set_stakes(kOpenSale);
    EXPECT_EQ(machine.pass(250ms), std::vector{Event::moved});
    EXPECT_EQ(machine.error(), 0s);
}

TEST(ShopTime, IsSetBackInSpiteOfPromisesOnceTheKernelVouchesForTheWallClock) {
    Machine machine(20s, 8h);
    machine.time().rely();
    machine.pass(75s);
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(2min), (std::vector{Event::suspected, Event::following}));
    machine.set_synchronised(true);
    EXPECT_EQ(machine.pass(250ms), std::vector{Event::moved});
    EXPECT_EQ(machine.error(), 0s);
}

/// From then on a step is a step like any other.
TEST(ShopTime, BelievesTheKernelThatTheTimeOfTheStartWasRight) {
    for (const auto step : {Duration{1h}, Duration{-1h}}) {
        Machine machine(30s, 0s, {}, {}, true);
        machine.set_stakes(kNothing);
        EXPECT_FALSE(machine.time().is_unproven());
        machine.set_synchronised(false);
        machine.set_wall(step);
        EXPECT_EQ(machine.pass(61s), (std::vector{Event::suspected, Event::following}));
        EXPECT_LT(abs(machine.error()), 1s);
    }
}

TEST(ShopTime, TheKernelMaySayLaterThatTheTimeOfTheStartWasRight) {
    Machine machine(30s);
    EXPECT_TRUE(machine.time().is_unproven());
    EXPECT_FALSE(machine.time().is_relied_on());
    machine.set_synchronised(true);
    machine.pass(250ms);
    EXPECT_FALSE(machine.time().is_unproven());
    EXPECT_TRUE(machine.time().is_relied_on());
    EXPECT_FALSE(machine.time().is_in_doubt());
}

TEST(ShopTime, IsUnprovenForOneMinute) {
    Machine machine(kUptime, 1h);
    machine.pass(59'999ms);
    EXPECT_TRUE(machine.time().is_unproven());
    machine.pass(1ms);
    EXPECT_FALSE(machine.time().is_unproven());
}

TEST(ShopTime, IsUnprovenWhileTheMachineIsYoung) {
    Machine machine(20s, 1h);
    machine.pass(279'999ms);
    EXPECT_TRUE(machine.time().is_unproven());
    machine.pass(1ms);
    EXPECT_FALSE(machine.time().is_unproven());
}

/// A hold that was found must not expire in the seconds in which the wrong time is found out.
TEST(ShopTime, IsUnprovenUntilAStepOfTheFirstMinuteIsOver) {
    Machine machine(kUptime, 1h);
    machine.pass(59s);
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(250ms), std::vector{Event::suspected});
    EXPECT_TRUE(machine.pass(4'999ms).empty());
    EXPECT_TRUE(machine.time().is_unproven());
    EXPECT_EQ(machine.pass(1ms), std::vector{Event::moved});
    machine.pass(59'999ms);
    EXPECT_TRUE(machine.time().is_unproven()) << "the new time has to prove itself too";
    machine.pass(1ms);
    EXPECT_FALSE(machine.time().is_unproven());
}

TEST(ShopTime, IsNotUnprovenForEverWithAClockThatStepsAllTheTime) {
    Machine machine;
    for (int i = 0; i < 101; ++i) {
        machine.set_wall(i % 2 == 0 ? 2s : 0s);
        machine.pass(4s);
    }
    EXPECT_EQ(machine.time().state(), State::suspected);
    EXPECT_FALSE(machine.time().is_unproven());
}

TEST(ShopTime, UndoesAMoveThatWasWrong) {
    Machine machine;
    machine.pass(1h);
    machine.set_stakes(kNothing);
    machine.set_wall(-1h);
    EXPECT_EQ(machine.pass(6s), (std::vector{Event::suspected, Event::moved}));
    machine.set_stakes(kHold);
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(6s), (std::vector{Event::suspected, Event::moved}));
    EXPECT_EQ(machine.error(), 0s);
}

TEST(ShopTime, AMoveThatHasLastedIsNoMistake) {
    Machine machine;
    machine.pass(1h);
    machine.set_stakes(kNothing);
    machine.set_wall(1h);
    EXPECT_EQ(machine.pass(66s), (std::vector{Event::suspected, Event::moved}));
    machine.set_stakes(kOpenSale);
    machine.set_wall(0s);
    EXPECT_EQ(machine.pass(59s), std::vector{Event::suspected});
    EXPECT_EQ(machine.pass(2s), std::vector{Event::moved});
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

/// A restart must not turn a wrong time into one that is believed.
TEST(ShopTime, DoubtsATimeThatNobodyReliedOnBefore) {
    Machine former(20s, 8h);
    former.pass(10s);
    EXPECT_FALSE(former.time().is_relied_on());
    Machine restarted(30s, 8h, former.note());
    EXPECT_TRUE(restarted.time().continues());
    restarted.set_stakes(kNothing);
    restarted.pass(75s);
    restarted.set_wall(0s);
    EXPECT_EQ(restarted.pass(6s), (std::vector{Event::suspected, Event::moved}));
    EXPECT_EQ(restarted.time().behind_record(), 0s);

    former.time().rely();
    EXPECT_TRUE(former.time().is_relied_on());
    Machine third(30s, 8h, former.note());
    third.set_stakes(kNothing);
    third.set_wall(0s);
    EXPECT_EQ(third.pass(61s), (std::vector{Event::suspected, Event::following}));
}

/// The wall clock may be wrong in the moment of the restart.
TEST(ShopTime, ARestartIsNoReasonToBelieveTheWallClock) {
    for (const auto step : {Duration{1h}, Duration{-1h}}) {
        const FormerTime unused{20s, kNoon - 10s, true, false};
        Machine restarted(30s, step, unused);
        restarted.set_stakes(kOpenSale);
        EXPECT_EQ(restarted.pass(59s), std::vector{Event::suspected});
        EXPECT_EQ(restarted.error(), 0s);
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
