#include "base/subscription.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Subscription, EndsOnceWhereverItWasMoved) {
    int ends = 0;
    {
        Subscription first([&] { ++ends; });
        Subscription second(std::move(first));
        first.end();
        EXPECT_EQ(ends, 0);
        Subscription third;
        third = std::move(second);
        EXPECT_EQ(ends, 0);
        third.end();
        EXPECT_EQ(ends, 1);
    }
    EXPECT_EQ(ends, 1);
}

TEST(Subscription, AnotherInItsPlaceEndsIt) {
    int ends = 0;
    Subscription kept([&] { ++ends; });
    kept = Subscription([&] { ends += 10; });
    EXPECT_EQ(ends, 1);
    kept.end();
    EXPECT_EQ(ends, 11);
}

}  // namespace
}  // namespace sluice
