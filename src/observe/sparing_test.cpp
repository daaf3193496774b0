#include "observe/sparing.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

TEST(Sparing, AFewAMinuteAreWrittenAndTheOthersAreCounted) {
    Sparing lines(2);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(lines.admit(begin), 0u);
    EXPECT_EQ(lines.admit(begin + 1s), 0u);
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(lines.admit(begin + 59s));
    EXPECT_EQ(lines.admit(begin + 60s), 1000u);
    EXPECT_EQ(lines.admit(begin + 61s), 0u);
    EXPECT_FALSE(lines.admit(begin + 62s));
}

}  // namespace
}  // namespace sluice
