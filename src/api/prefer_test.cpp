#include "api/prefer.hpp"

#include <array>
#include <utility>

#include <gtest/gtest.h>

namespace sluice::api {
namespace {

TEST(Prefer, SaysHowLongToWait) {
    const std::array<std::pair<std::string_view, int>, 14> rows{{
        {"wait=3", 3},
        {"WAIT = 3", 3},
        {"respond-async, wait=7", 7},
        {"wait=4;strict, wait=5", 4},
        {"wait=\"6\"", 6},
        {"wait=10", 10},
        {"wait=600", 10},
        {"wait=99999999999999999999", 10},
        {"wait=0", 0},
        {"wait", 0},
        {"wait=", 0},
        {"wait=-1", 0},
        {"wait=1.5", 0},
        {"", 0},
    }};
    for (const auto& [header, seconds] : rows)
        EXPECT_EQ(preferred_wait(header).count(), seconds) << header;
}

}  // namespace
}  // namespace sluice::api
