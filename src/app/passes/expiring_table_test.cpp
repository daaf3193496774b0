#include "app/passes/expiring_table.hpp"

#include <gtest/gtest.h>

#include "domain/ids.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kNow = from_millis(1'794'513'600'000);
constexpr UserId kOne{1}, kTwo{2};

TEST(ExpiringTable, ForgetsAtTheInstant) {
    ExpiringTable<UserId, int> table;
    table.put(kOne, 7, kNow);
    ASSERT_TRUE(table.find(kOne, kNow - 1ms));
    EXPECT_EQ(*table.find(kOne, kNow - 1ms), 7);
    EXPECT_FALSE(table.find(kOne, kNow));
    EXPECT_EQ(table.size(), 0u);
}

TEST(ExpiringTable, ANewValueReplacesTheOldOneAndItsTime) {
    ExpiringTable<UserId, int> table;
    table.put(kOne, 7, kNow + 1s);
    table.put(kTwo, 9, kNow + 2s);
    table.put(kOne, 8, kNow + 3s);
    EXPECT_EQ(*table.find(kOne, kNow + 2s), 8);
    EXPECT_EQ(table.size(), 1u);
    EXPECT_FALSE(table.find(kOne, kNow + 3s));
    EXPECT_EQ(table.size(), 0u);
}

TEST(ExpiringTable, ErasedIsGone) {
    ExpiringTable<UserId, int> table;
    table.put(kOne, 7, kNow + 1s);
    table.erase(kOne);
    table.erase(kTwo);
    EXPECT_FALSE(table.find(kOne, kNow));
    EXPECT_EQ(table.size(), 0u);
}

}  // namespace
}  // namespace sluice
