#include "base/large_table.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(LargeTable, StartsWithZeroesAndKeepsWhatIsWritten) {
    for (const std::size_t size : {1u, 1'000u, 300'000u}) {  // less than a line, than a page; more
        LargeTable<std::uint64_t> table(size);
        for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(table[i], 0u);
        table[size - 1] = 7;
        EXPECT_EQ(table[size - 1], 7u);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&table[0]) % 64, 0u);
    }
}

}  // namespace
}  // namespace sluice
