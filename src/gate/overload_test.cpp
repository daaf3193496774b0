#include "gate/overload.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

int refused_of_1500(std::chrono::milliseconds lag, RateClass rate = RateClass::reading) {
    int refused = 0;
    for (std::uint64_t chance = 0; chance < 1'500; ++chance)
        if (is_overloaded(lag, rate, chance)) ++refused;
    return refused;
}

TEST(Overload, TurnsAwayAShareThatGrowsWithTheLag) {
    EXPECT_EQ(refused_of_1500(0ms), 0);
    EXPECT_EQ(refused_of_1500(500ms), 0);
    EXPECT_EQ(refused_of_1500(501ms), 1);
    EXPECT_EQ(refused_of_1500(1'250ms), 750);
    EXPECT_EQ(refused_of_1500(2'000ms), 1'500);
    EXPECT_EQ(refused_of_1500(1h), 1'500);
}

TEST(Overload, NeverTurnsTheMachineRoomOrOperatorsAway) {
    EXPECT_EQ(refused_of_1500(1h, RateClass::probing), 0);
    EXPECT_EQ(refused_of_1500(1h, RateClass::working), 0);
}

TEST(Overload, SaysWhenToComeBack) {
    const http::Route route{.name = "show_sale",
                            .method = http::Method::get,
                            .path = "/",
                            .access = http::Access::anyone,
                            .rate = RateClass::reading};
    http::Exchange exchange;
    exchange.route = &route;
    EXPECT_FALSE(refused_for_overload(exchange));
    exchange.lag = 2s;
    EXPECT_TRUE(refused_for_overload(exchange));
    EXPECT_EQ(exchange.response.status, 503);
    EXPECT_EQ(exchange.response.extra_headers(), "Retry-After: 1\r\n");
}

}  // namespace
}  // namespace sluice::gate
