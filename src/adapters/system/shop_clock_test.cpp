#include "adapters/system/shop_clock.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/timex.h>

#include "adapters/system/clock_note.hpp"
#include "support/temp_folder.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class ShopClockTest : public testing::Test {
  protected:
    ShopClock::Options options() {
        return {.note = note,
                .rules = {},
                .trust_wall = false,
                .wall = [this] { return read_wall_clock() + wrong_by; },
                .synchronised = [this] { return synchronised; }};
    }
    /// By how much a clock is ahead of the system's.
    static std::chrono::milliseconds error(const Clock& clock) {
        return std::chrono::round<std::chrono::milliseconds>(clock.now().time_since_epoch() -
                                                             read_wall_clock());
    }
    /// Makes a step count at once.
    static ShopTime::Rules hasty() {
        ShopTime::Rules rules;
        rules.patience = 0s;
        return rules;
    }

    testing_support::TempFolder folder;
    std::filesystem::path note = folder.path() / "shop.clock";
    ShopTime::Duration wrong_by{};
    bool synchronised = false;
};

TEST_F(ShopClockTest, BeginsWithTheSystemsTime) {
    const ShopClock clock(options());
    EXPECT_LT(abs(error(clock)), 100ms);
    EXPECT_EQ(clock.status().state, ShopTime::State::agrees);
    EXPECT_TRUE(clock.status().unproven);
}

TEST_F(ShopClockTest, IsNotImpressedByAStep) {
    ShopClock clock(options());
    wrong_by = 1h;
    EXPECT_EQ(clock.watch(), ShopTime::Event::suspected);
    EXPECT_LT(abs(error(clock)), 100ms);
    EXPECT_LT(abs(error(clock.outside())), 100ms);
    EXPECT_LT(abs(clock.status().difference - 1h), 100ms);
    EXPECT_EQ(clock.status().steps, 1U);
}

TEST_F(ShopClockTest, TellsOthersTheSystemsTimeOnceAStepHasLasted) {
    auto given = options();
    given.rules = hasty();
    ShopClock clock(given);
    wrong_by = 1h;
    clock.watch();
    EXPECT_EQ(clock.watch(), ShopTime::Event::following);
    EXPECT_LT(abs(error(clock)), 100ms);
    EXPECT_LT(abs(error(clock.outside()) - 1h), 100ms);
}

TEST_F(ShopClockTest, NeverGoesBackWhileItFollows) {
    auto given = options();
    given.rules = hasty();
    ShopClock clock(given);
    clock.rely();
    wrong_by = -1h;
    clock.watch();
    clock.watch();
    auto last = clock.now();
    for (int i = 0; i < 20'000; ++i) {
        clock.watch();
        const auto now = clock.now();
        ASSERT_GE(now, last);
        last = now;
    }
    EXPECT_EQ(clock.status().state, ShopTime::State::following);
}

TEST_F(ShopClockTest, GoesOnFromItsNoteWhateverTheSystemSays) {
    {
        ShopClock clock(options());
        clock.rely();
        ASSERT_TRUE(clock.note());
    }
    wrong_by = 1h;
    const ShopClock restarted(options());
    EXPECT_LT(abs(error(restarted)), 100ms);
    EXPECT_TRUE(restarted.status().continues);
    EXPECT_FALSE(restarted.status().unproven);
    EXPECT_FALSE(restarted.status().in_doubt);

    auto trusting = options();
    trusting.trust_wall = true;
    const ShopClock trusted(trusting);
    EXPECT_LT(abs(error(trusted) - 1h), 100ms);
    EXPECT_FALSE(trusted.status().unproven);
}

TEST_F(ShopClockTest, ANoteSaysWhetherAnybodyReliedOnIt) {
    ASSERT_TRUE(ShopClock(options()).note());
    ShopClock restarted(options());
    EXPECT_TRUE(restarted.status().continues);
    EXPECT_TRUE(restarted.status().in_doubt);
    EXPECT_FALSE(restarted.status().relied_on);
    restarted.rely();
    EXPECT_TRUE(restarted.status().relied_on);
    ASSERT_TRUE(restarted.note());
    EXPECT_FALSE(ShopClock(options()).status().in_doubt);
}

TEST_F(ShopClockTest, IsSetWhenNothingIsAtStake) {
    auto given = options();
    given.rules.quick_patience = 0s;
    ShopClock clock(given);
    wrong_by = -1h;
    EXPECT_EQ(clock.watch({.promises = true, .due = false}), ShopTime::Event::suspected);
    clock.rely();
    EXPECT_EQ(clock.watch({.promises = true, .due = false}), ShopTime::Event::none);
    EXPECT_LT(abs(error(clock)), 100ms);
    EXPECT_EQ(clock.watch({.promises = false, .due = false}), ShopTime::Event::moved);
    EXPECT_LT(abs(error(clock) + 1h), 100ms);
}

TEST_F(ShopClockTest, AsksTheKernelWhetherTheSystemsTimeIsRight) {
    synchronised = true;
    const ShopClock clock(options());
    EXPECT_FALSE(clock.status().unproven);
    EXPECT_FALSE(clock.status().in_doubt);
}

TEST_F(ShopClockTest, TheKernelsWordIsItsFlagOrASmallError) {
    const struct {
        int state;
        std::chrono::microseconds most_error;
        bool is_right;
    } rows[] = {
        {TIME_OK, 0us, true},           // systemd-timesyncd
        {TIME_OK, 16s, true},           // the flag is enough
        {TIME_INS, 16s, true},          // a leap second is due
        {TIME_ERROR, 16s, false},       // nobody has said anything since the last step
        {TIME_ERROR, 1s, false},        // not well enough
        {TIME_ERROR, 999'999us, true},  // chrony without rtcsync
        {TIME_ERROR, 1us, true},
        {TIME_ERROR, 0us, false},  // not a kernel's word: nobody is that exact
        {-1, 1us, false},          // in a container that may not ask
    };
    for (const auto& row : rows)
        EXPECT_EQ(is_kept_right(row.state, row.most_error), row.is_right)
            << row.state << ' ' << row.most_error.count();
}

TEST_F(ShopClockTest, SaysWhenItCannotNote) {
    note = folder.path() / "no such folder" / "shop.clock";
    EXPECT_FALSE(ShopClock(options()).note());
}

TEST_F(ShopClockTest, ANoteIsReadAsItWasWritten) {
    EXPECT_FALSE(read_clock_note(note));
    for (const bool relied_on : {true, false}) {
        ASSERT_TRUE(write_clock_note(note, {5s, 7s, true, relied_on}));
        const auto read = read_clock_note(note);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->boot, 5s);
        EXPECT_EQ(read->shop, 7s);
        EXPECT_TRUE(read->same_boot);
        EXPECT_EQ(read->relied_on, relied_on);
    }
}

TEST_F(ShopClockTest, WhatIsNoNoteIsNotRead) {
    for (const auto* text :
         {"", "\n", "id", "id 1", "id 1 2", "id -1 2\n", "id 1 -2\n", "id 1 x\n",
          "id 1 99999999999999999999\n", "id 1 2 3\n", "id 1 2 unused", "id 1 2 unused \n"}) {
        std::ofstream(note) << text;
        EXPECT_FALSE(read_clock_note(note)) << text;
    }
    std::ofstream(note) << "another-boot 1 2\n";
    EXPECT_FALSE(read_clock_note(note)->same_boot);
}

}  // namespace
}  // namespace sluice
