#include <algorithm>
#include <array>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "adapters/system/open_file_limit.hpp"
#include "adapters/system/system_clock.hpp"
#include "adapters/system/system_random.hpp"

namespace sluice {
namespace {

TEST(SystemClock, TellsTheTimeOfDay) {
    const auto before = std::chrono::system_clock::now();
    const auto now = SystemClock{}.now();
    EXPECT_GE(now, before - std::chrono::milliseconds{1});
    EXPECT_LE(now, std::chrono::system_clock::now());
}

TEST(SystemRandom, FillsEveryByteAnewEachTime) {
    SystemRandom random;
    std::array<unsigned char, 32> seen{}, first{}, second{};
    random.fill(first);
    random.fill(second);
    EXPECT_NE(first, second);
    // A byte that is never written stays zero; a random one does so in 64 rounds with 256^-64.
    for (int round = 0; round < 64; ++round) {
        random.fill(first);
        for (std::size_t i = 0; i < seen.size(); ++i) seen[i] |= first[i];
    }
    EXPECT_TRUE(std::ranges::none_of(seen, [](unsigned char c) { return c == 0; }));
    random.fill({});
}

class OpenFileLimit : public testing::Test {
  protected:
    OpenFileLimit() { getrlimit(RLIMIT_NOFILE, &before_); }
    ~OpenFileLimit() override { setrlimit(RLIMIT_NOFILE, &before_); }

    rlimit before_{};
};

TEST_F(OpenFileLimit, IsRaisedAsFarAsAllowed) {
    const rlimit low{64, before_.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    EXPECT_EQ(raise_open_file_limit(), before_.rlim_max);
    rlimit now{};
    getrlimit(RLIMIT_NOFILE, &now);
    EXPECT_EQ(now.rlim_cur, before_.rlim_max);
    EXPECT_EQ(now.rlim_max, before_.rlim_max);
}

}  // namespace
}  // namespace sluice
