#include "gate/signature_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class SignatureLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    SignatureLimiter limiter{scope, {1, 2, 3}};
    const SignatureLimiter::Instant now = std::chrono::steady_clock::now();

    bool waits(const std::string& address, std::chrono::seconds later = 0s) const {
        return limiter.look(*Address::parse(address), now + later).count.wait.count() > 0;
    }
    void forge(const std::string& address, unsigned times) {
        for (unsigned i = 0; i < times; ++i) limiter.note_wrong(*Address::parse(address), now);
    }
};

TEST_F(SignatureLimiterTest, LookingIsFreeAndForgingIsNot) {
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(waits("192.0.2.1"));
    forge("192.0.2.1", SignatureLimiter::kMistakes.burst);
    EXPECT_TRUE(waits("192.0.2.1"));
    EXPECT_FALSE(waits("192.0.2.2"));
    EXPECT_TRUE(waits("192.0.2.1", 9s));
    EXPECT_FALSE(waits("192.0.2.1", 10s)) << "six a minute";
}

TEST_F(SignatureLimiterTest, ASiteIsHeldToEightHouseholds) {
    for (int i = 0; i < 8; ++i)
        forge("2001:db8:0:" + std::to_string(i) + "::1", SignatureLimiter::kMistakes.burst);
    EXPECT_TRUE(waits("2001:db8:0:99::1"));
    EXPECT_FALSE(waits("2001:db8:1::1"));
}

TEST_F(SignatureLimiterTest, HoldsWhereLimitsHold) {
    forge("192.0.2.1", 100);
    scope.replace(true, {*Network::parse("192.0.2.0/24")});
    EXPECT_FALSE(waits("192.0.2.1"));
    scope.replace(false, {});
    EXPECT_FALSE(waits("192.0.2.1"));
}

}  // namespace
}  // namespace sluice::gate
