#include "app/purchase/cluster_backlog.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing_support::ScriptedGate;

class ClusterBacklogTest : public testing::Test {
  protected:
    std::optional<IntakeReport> look(std::int64_t claims, std::int64_t decided) {
        gate.all_under_way = {.claims = claims, .decided = decided};
        now += 250ms;
        return run_to_end(backlog.look(now));
    }

    ScriptedGate gate;
    ClusterBacklog backlog{gate};
    ClusterBacklog::Instant now{1h};
};

TEST_F(ClusterBacklogTest, IsWhatTheClusterHasAndWhatCameHereSince) {
    EXPECT_EQ(backlog.count(), 0U);
    backlog.note_own();
    EXPECT_EQ(backlog.count(), 1U) << "also before anybody has asked";
    look(500, 0);
    EXPECT_EQ(backlog.count(), 500U) << "which holds our own";
    backlog.note_own();
    backlog.note_own();
    EXPECT_EQ(backlog.count(), 502U);
    look(400, 102);
    EXPECT_EQ(backlog.count(), 400U);
}

TEST_F(ClusterBacklogTest, ReportsThePaceOfTheWholeCluster) {
    EXPECT_FALSE(look(2'000, 100)) << "nothing to compare with";
    const auto report = look(1'500, 900);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->taken, 800U);
    EXPECT_EQ(report->took, 250ms);
    EXPECT_EQ(report->backlog, 2'000U);
    EXPECT_FALSE(look(0, 3)) << "a copy was lost, and its count with it";
    EXPECT_EQ(look(0, 4)->taken, 1U);
}

TEST_F(ClusterBacklogTest, GoesOnCountingWhileTheCopiesAreAway) {
    look(100, 0);
    gate.is_away = true;
    EXPECT_THROW(run_to_end(backlog.look(now)), Outage);
    backlog.note_own();
    EXPECT_EQ(backlog.count(), 101U);
}

TEST_F(ClusterBacklogTest, KnowsTheOldest) {
    EXPECT_EQ(backlog.oldest(), std::nullopt);
    gate.all_under_way.oldest_handed_off = from_millis(1'794'513'600'000);
    run_to_end(backlog.look(now));
    EXPECT_EQ(backlog.oldest(), from_millis(1'794'513'600'000));
    gate.all_under_way.oldest_handed_off = std::nullopt;
    run_to_end(backlog.look(now));
    EXPECT_EQ(backlog.oldest(), std::nullopt);
}

}  // namespace
}  // namespace sluice
