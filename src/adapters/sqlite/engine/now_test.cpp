#include "adapters/sqlite/engine/now.hpp"

#include <gtest/gtest.h>

#include "support/manual_clock.hpp"

namespace sluice::sqlite {
namespace {

TEST(SqliteNow, IsTheTimeOfTheClockOnThisConnection) {
    const testing_support::ManualClock clock;
    auto database = Database::open_bare(":memory:");
    use_as_now(database, clock);
    // As the view next_webhook_event asks.
    auto row =
        database.query("SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)");
    ASSERT_TRUE(row.step());
    EXPECT_EQ(row.column<Timestamp>(0), clock.now());
}

TEST(SqliteNow, KnowsNoOtherDate) {
    const testing_support::ManualClock clock;
    auto database = Database::open_bare(":memory:");
    use_as_now(database, clock);
    auto row = database.query("SELECT julianday('2026-11-11')");
    EXPECT_THROW(row.step(), Error);
}

}  // namespace
}  // namespace sluice::sqlite
