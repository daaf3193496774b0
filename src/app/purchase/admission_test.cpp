#include "app/purchase/admission.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

IntakeReport full_batch(std::chrono::milliseconds took) {
    return {.taken = 512, .took = took, .backlog = 2'000};
}

TEST(Admission, NeverRefusesBelow1024HoweverSlowTheLedger) {
    Admission admission(8'192);
    for (int i = 0; i < 100; ++i) admission.observe(full_batch(10s));
    EXPECT_EQ(admission.window(), 1'024u);
    EXPECT_TRUE(admission.admit(1'023));
    EXPECT_FALSE(admission.admit(1'024));
    EXPECT_EQ(admission.refused(), 1u);
    EXPECT_TRUE(Admission(1).admit(1'023));
}

TEST(Admission, LetsInWhatIsDecidedWithinThePatience) {
    Admission admission(1'000'000, 512, 5s);
    for (int i = 0; i < 100; ++i) admission.observe(full_batch(256ms));
    EXPECT_NEAR(static_cast<double>(admission.window()), 10'000, 10);
    EXPECT_FALSE(admission.admit(10'001));
}

TEST(Admission, WhileItIsTightOnlyTheLeastAreLetIn) {
    Admission admission(8'192);
    admission.set_tight(true);
    EXPECT_TRUE(admission.admit(1'023));
    EXPECT_FALSE(admission.admit(1'024));
    EXPECT_DOUBLE_EQ(admission.load(1'024), 1);
    admission.set_tight(false);
    EXPECT_TRUE(admission.admit(1'024));
}

TEST(Admission, EstimatesTheWaitByThePace) {
    Admission admission(8'192);
    for (int i = 0; i < 100; ++i) admission.observe(full_batch(512ms));
    EXPECT_EQ(admission.wait_seconds(0), 1);
    EXPECT_EQ(admission.wait_seconds(990), 1);
    EXPECT_EQ(admission.wait_seconds(1'010), 2);
    EXPECT_EQ(admission.wait_seconds(8'192), 9);
    for (int i = 0; i < 1'000; ++i) admission.observe({.taken = 0, .took = 10s, .backlog = 2'000});
    EXPECT_EQ(admission.wait_seconds(2'000), Admission::kLongestWait);
    EXPECT_EQ(admission.wait_seconds(0), 1);
}

TEST(Admission, LeavesRoomForTwoBatchesIfTheBoundDoes) {
    const auto least = [](std::size_t bound, std::size_t batch) {
        Admission admission(bound, batch);
        for (int i = 0; i < 100; ++i) admission.observe(full_batch(10s));
        return admission.window();
    };
    EXPECT_EQ(least(8'192, 2'048), 4'096U);
    EXPECT_EQ(least(3'000, 2'048), 3'000U);
}

TEST(Admission, NeverPassesTheBoundHoweverFastTheLedger) {
    Admission admission(2'000);
    for (int i = 0; i < 100; ++i) admission.observe(full_batch(1ms));
    EXPECT_TRUE(admission.admit(1'999));
    EXPECT_FALSE(admission.admit(2'000));
}

TEST(Admission, AFailedBatchIsAsSlowAsCanBe) {
    Admission admission(8'192);
    admission.observe({.taken = 0, .took = 10s, .backlog = 2'000});
    EXPECT_EQ(admission.window(), 1'024u);
}

TEST(Admission, AnIdleLedgerSaysNothingOfWhatItCanDo) {
    Admission admission(8'192);
    for (int i = 0; i < 100; ++i) admission.observe(full_batch(64ms));
    const auto window = admission.window();
    for (int i = 0; i < 1'000; ++i) admission.observe({.taken = 1, .took = 5ms, .backlog = 1});
    EXPECT_EQ(admission.window(), window);
}

TEST(Admission, TheLoadIsTheShareOfTheWindowInUse) {
    Admission admission(4'096);
    EXPECT_EQ(admission.load(0), 0);
    EXPECT_DOUBLE_EQ(admission.load(1'024), 0.25);
    EXPECT_EQ(admission.load(4'096), 1);
    EXPECT_EQ(admission.load(1'000'000), 1);
}

/// Buyers who come at a steady rate, and a ledger that commits one batch after the other. Time
/// advances in steps of a tenth of a millisecond.
class ClosedLoop {
  public:
    explicit ClosedLoop(Admission& admission) : admission_(admission) {}

    struct Seen {
        std::size_t highest_backlog = 0, lowest_window = SIZE_MAX, highest_window = 0;
        double committed_per_second = 0, refused_per_second = 0;
    };

    double offered_per_second = 60'000;
    double slowness = 1;
    bool stuck = false;

    Seen run(std::chrono::milliseconds span) {
        Seen seen;
        const double seconds = std::chrono::duration<double>(span).count();
        std::size_t committed = 0;
        const auto refused = admission_.refused();
        for (double end = now_ + seconds; now_ < end; now_ += kStep) {
            arrive();
            committed += commit();
            seen.highest_backlog = std::max(seen.highest_backlog, backlog_);
            seen.lowest_window = std::min(seen.lowest_window, admission_.window());
            seen.highest_window = std::max(seen.highest_window, admission_.window());
        }
        seen.committed_per_second = static_cast<double>(committed) / seconds;
        seen.refused_per_second = static_cast<double>(admission_.refused() - refused) / seconds;
        return seen;
    }

  private:
    static constexpr double kStep = 1e-4;

    void arrive() {
        owed_ += offered_per_second * kStep;
        for (; owed_ >= 1; owed_ -= 1)
            if (admission_.admit(backlog_)) ++backlog_;
    }

    std::size_t commit() {
        if (stuck) return 0;
        std::size_t done = 0;
        if (batch_ > 0 && now_ >= ready_at_) {
            done = std::exchange(batch_, 0);
            const std::chrono::duration<double> took(now_ - began_at_);
            admission_.observe({.taken = done,
                                .took = std::chrono::duration_cast<std::chrono::nanoseconds>(took),
                                .backlog = backlog_at_start_});
            backlog_ -= done;
        }
        if (batch_ == 0 && backlog_ > 0) {
            batch_ = std::min<std::size_t>(backlog_, 512);
            backlog_at_start_ = backlog_;
            began_at_ = now_;
            // 36,000 a second in full batches.
            ready_at_ = now_ + (4e-3 + static_cast<double>(batch_) * 2e-5) * slowness;
        }
        return done;
    }

    Admission& admission_;
    double now_ = 0, owed_ = 0, began_at_ = 0, ready_at_ = 0;
    std::size_t backlog_ = 0, batch_ = 0, backlog_at_start_ = 0;
};

TEST(Admission, FollowsALedgerThatSlowsTenfoldAndRecovers) {
    Admission admission(8'192);
    ClosedLoop loop(admission);
    loop.run(2s);
    const auto before = loop.run(2s);
    EXPECT_GT(before.committed_per_second, 30'000);

    loop.slowness = 10;
    const auto falling = loop.run(3s);
    EXPECT_LE(falling.highest_backlog, 8'192u);
    const auto slow = loop.run(5s);
    EXPECT_GT(slow.committed_per_second, 3'000) << "the ledger is kept as busy as before";
    EXPECT_LE(slow.highest_backlog, 4'000u) << "nobody waits much longer than a second";
    EXPECT_LT(slow.highest_window - slow.lowest_window, slow.lowest_window / 20) << "it swings";

    loop.slowness = 1;
    const auto first_second = loop.run(1s);
    // The batch that was under way when the ledger recovered is still slow.
    EXPECT_GT(first_second.committed_per_second, 0.8 * before.committed_per_second);
    loop.run(1s);
    const auto after = loop.run(2s);
    EXPECT_EQ(after.lowest_window, before.lowest_window);
}

TEST(Admission, ALedgerThatStandsStillIsNotBuried) {
    Admission admission(8'192);
    ClosedLoop loop(admission);
    loop.slowness = 10;
    loop.run(5s);
    const auto window = admission.window();
    loop.stuck = true;
    EXPECT_LE(loop.run(10s).highest_backlog, window);
    loop.stuck = false;
    loop.slowness = 1;
    loop.run(3s);
    EXPECT_GT(loop.run(1s).committed_per_second, 30'000);
}

TEST(Admission, RefusesNobodyWhileTheLedgerKeepsUp) {
    Admission admission(8'192);
    ClosedLoop loop(admission);
    loop.offered_per_second = 20'000;
    EXPECT_EQ(loop.run(5s).refused_per_second, 0);
}

}  // namespace
}  // namespace sluice
