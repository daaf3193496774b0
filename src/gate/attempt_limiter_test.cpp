#include "gate/attempt_limiter.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

constexpr UserId kBuyer{7};
constexpr SaleId kSale{1};

TEST(AttemptLimiter, CountsABuyerInASaleAndRecoversWithinADay) {
    AttemptLimiter attempts({1, 2, 3});
    const auto now = std::chrono::steady_clock::now();
    const auto may = [&](UserId buyer, SaleId sale, AttemptLimiter::Instant at) {
        return attempts.look(buyer, sale, at).count.wait.count() == 0;
    };
    for (std::uint32_t i = 0; i < AttemptLimiter::kAttempts; ++i) {
        ASSERT_TRUE(may(kBuyer, kSale, now)) << i;
        attempts.note(kBuyer, kSale, now);
    }
    EXPECT_FALSE(may(kBuyer, kSale, now));
    EXPECT_TRUE(may(kBuyer, SaleId{2}, now)) << "another sale";
    EXPECT_TRUE(may(UserId{8}, kSale, now)) << "another buyer";

    const auto wait = attempts.look(kBuyer, kSale, now).count.wait;
    EXPECT_LE(wait, std::chrono::microseconds{AttemptLimiter::kQuota.interval});
    EXPECT_TRUE(may(kBuyer, kSale, now + wait)) << "nobody is locked out for long";
    attempts.note(kBuyer, kSale, now + wait);
    EXPECT_FALSE(may(kBuyer, kSale, now + wait));
    EXPECT_EQ(attempts.look(kBuyer, kSale, now + std::chrono::hours{49}).count.left,
              AttemptLimiter::kAttempts);
}

}  // namespace
}  // namespace sluice::gate
