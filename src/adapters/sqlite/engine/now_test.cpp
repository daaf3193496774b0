#include "adapters/sqlite/engine/now.hpp"

#include <gtest/gtest.h>

#include "adapters/sql/rows.hpp"
#include "support/manual_clock.hpp"

namespace sluice::sqlite {
namespace {

TEST(SqliteNow, IsTheTimeOfTheClockOnThisConnection) {
    const testing_support::ManualClock clock;
    auto database = Database::open_bare(":memory:");
    use_as_now(database, clock);
    // As the view next_webhook_event asks.
    const auto now = database.value<Timestamp>(
        "SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)");
    EXPECT_EQ(now, clock.now());
}

TEST(SqliteNow, KnowsNoOtherDate) {
    const testing_support::ManualClock clock;
    auto database = Database::open_bare(":memory:");
    use_as_now(database, clock);
    EXPECT_THROW(database.has_row("SELECT julianday('2026-11-11')"), Error);
}

}  // namespace
}  // namespace sluice::sqlite
