#include "http/lag.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

using namespace std::chrono_literals;

TEST(Lag, IsWhatTwoTicksInARowAgreeOn) {
    Lag lag;
    EXPECT_EQ(lag.lasting(), 0ms);
    lag.note(3s);
    EXPECT_EQ(lag.lasting(), 0ms) << "a machine that stood still";
    lag.note(2s);
    EXPECT_EQ(lag.lasting(), 2s);
    lag.note(-1ms);
    EXPECT_EQ(lag.lasting(), 0ms);
    lag.note(4s);
    EXPECT_EQ(lag.lasting(), 0ms);
}

}  // namespace
}  // namespace sluice::http
