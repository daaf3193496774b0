#include <gtest/gtest.h>

#include "adapters/sql/statements.hpp"
#include "support/overrides_example.hpp"

namespace sluice::sql {
namespace {

using testing_support::overrides;

TEST(OverridesTest, StandForStatementsOfTheLedgers) {
    ASSERT_EQ(overrides.size(), 2U);
    EXPECT_EQ(overrides[0].first, has_sale);
    EXPECT_EQ(overrides[0].second, "SELECT 'another dialect' FROM sales WHERE id = ?1;");
    EXPECT_EQ(overrides[1].first, order_of_payment);
    EXPECT_TRUE(overrides[1].second.starts_with("-- A text of several lines, with a ; in it.\n"));
    EXPECT_TRUE(overrides[1].second.ends_with("\nFROM payments WHERE id = ?1;"));
}

}  // namespace
}  // namespace sluice::sql
