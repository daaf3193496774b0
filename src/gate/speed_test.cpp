#include "gate/speed.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;
using Standing = Speed::Standing;

constexpr http::Route route_of(RateClass rate) {
    return {.name = "x",
            .method = http::Method::post,
            .path = "/x",
            .access = http::Access::user,
            .rate = rate};
}
constexpr http::Route kBuy = route_of(RateClass::buying);
constexpr http::Route kRead = route_of(RateClass::reading);
constexpr http::Route kWork = route_of(RateClass::working);

class SpeedTest : public testing::Test {
  protected:
    SpeedTest() {
        limits.of(RateClass::buying) = {.per_minute = 60, .burst = 2};
        limits.people_per_address = 2;
        rates.set(limits);
    }

    http::Exchange& request(const http::Route& route, const char* address = "192.0.2.1",
                            std::chrono::milliseconds later = 0ms) {
        exchange.clear();
        exchange.route = &route;
        exchange.route_index = static_cast<std::size_t>(&route == &kBuy);
        exchange.client = *Address::parse(address);
        exchange.parameters[0] = sale;
        exchange.began = now + later;
        nearest = {};
        return exchange;
    }
    bool address_too_fast(const char* address, std::chrono::milliseconds later = 0ms) {
        return too_fast(Standing::known, address, later);
    }
    bool too_fast(Standing standing, const char* address, std::chrono::milliseconds later = 0ms) {
        return speed.address_too_fast(request(kBuy, address, later), standing, nearest);
    }
    bool buyer_too_fast(std::int64_t buyer, std::chrono::milliseconds later = 0ms) {
        return speed.buyer_too_fast(request(kBuy, "192.0.2.1", later), UserId{buyer}, nearest);
    }

    std::string_view sale = "7";
    LimitScope scope;
    RateLimits limits;
    RatesInForce rates{limits};
    Speed speed{scope, rates, {1, 2, 3}};
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    http::Exchange exchange;
    Headroom nearest;
};

TEST_F(SpeedTest, AnAddressHasRoomForSeveralPeople) {
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(address_too_fast("192.0.2.1"));
    EXPECT_TRUE(address_too_fast("192.0.2.1"));
    EXPECT_EQ(exchange.response.status, 429);
    EXPECT_EQ(exchange.response.extra_headers(),
              "Retry-After: 1\r\nRateLimit-Policy: \"address\";q=4;w=2\r\n"
              "RateLimit: \"address\";r=0;t=1\r\n");
    EXPECT_FALSE(address_too_fast("192.0.2.2"));
    EXPECT_FALSE(address_too_fast("192.0.2.1", 500ms));
}

TEST_F(SpeedTest, AHouseholdOfIPv6CountsAsOne) {
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(address_too_fast("2001:db8::1"));
    EXPECT_TRUE(address_too_fast("2001:db8::ffff:2"));
    EXPECT_FALSE(address_too_fast("2001:db8:0:1::1"));
}

TEST_F(SpeedTest, ASiteOfIPv6IsHeldToEightHouseholds) {
    const auto from = [](int household) {
        return "2001:db8:0:" + std::to_string(household) + "::1";
    };
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j) EXPECT_FALSE(address_too_fast(from(i).c_str()));
    EXPECT_TRUE(address_too_fast(from(9).c_str())) << "a /64 of the same /48";
    EXPECT_NE(exchange.response.extra_headers().find("\"site\""), std::string_view::npos);
    EXPECT_FALSE(address_too_fast("2001:db8:1::1")) << "another /48";
    EXPECT_FALSE(address_too_fast(from(9).c_str(), 500ms)) << "who was refused was not counted";
}

TEST_F(SpeedTest, StrangersDoNotUseUpWhatIsThereForTheKnown) {
    for (const char* address : {"192.0.2.1", "2001:db8::1"}) {
        for (int i = 0; i < 4; ++i) EXPECT_FALSE(too_fast(Standing::a_stranger, address));
        EXPECT_TRUE(too_fast(Standing::a_stranger, address));
        for (int i = 0; i < 4; ++i) EXPECT_FALSE(too_fast(Standing::claiming, address));
        EXPECT_TRUE(too_fast(Standing::claiming, address));
        for (int i = 0; i < 4; ++i) EXPECT_FALSE(too_fast(Standing::known, address));
        EXPECT_TRUE(too_fast(Standing::known, address));
        EXPECT_EQ(
            speed.headroom_of_address(request(kBuy, address, 500ms), Standing::known).count.left,
            1u);
    }
}

TEST_F(SpeedTest, StrangersOfASiteAreCountedApartToo) {
    const auto from = [](int household) {
        return "2001:db8:0:" + std::to_string(household) + "::1";
    };
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j) too_fast(Standing::a_stranger, from(i).c_str());
    EXPECT_TRUE(too_fast(Standing::a_stranger, from(9).c_str()));
    EXPECT_FALSE(too_fast(Standing::known, from(9).c_str()));
}

TEST_F(SpeedTest, WhoeverClaimsASessionIsCountedAsOneBuyer) {
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(speed.claim_too_fast(request(kBuy), {1}));
    EXPECT_TRUE(speed.claim_too_fast(request(kBuy), {1}));
    EXPECT_EQ(exchange.response.status, 429);
    EXPECT_FALSE(speed.claim_too_fast(request(kBuy), {2}));
    EXPECT_FALSE(speed.claim_too_fast(request(kBuy, "192.0.2.1", 1s), {1}));
    scope.replace(false, {});
    EXPECT_FALSE(speed.claim_too_fast(request(kBuy), {2}));
    EXPECT_FALSE(speed.claim_too_fast(request(kBuy), {2}));
}

TEST_F(SpeedTest, HeadroomCanBeAskedForWithoutCounting) {
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(address_too_fast("192.0.2.1"));
    for (int i = 0; i < 9; ++i) {
        const auto headroom =
            speed.headroom_of_address(request(kBuy, "192.0.2.1"), Standing::known);
        EXPECT_EQ(headroom.policy, "address");
        EXPECT_EQ(headroom.count.left, 1u);
    }
    scope.replace(false, {});
    EXPECT_TRUE(
        speed.headroom_of_address(request(kBuy, "192.0.2.1"), Standing::known).policy.empty());
}

TEST_F(SpeedTest, ExemptNetworksAreNotCountedByAddress) {
    scope.replace(true, {*Network::parse("192.0.2.0/24")});
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(address_too_fast("192.0.2.1"));
    EXPECT_TRUE(nearest.policy.empty());
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(buyer_too_fast(1));
    EXPECT_TRUE(buyer_too_fast(1));
}

TEST_F(SpeedTest, ABuyerWaitsAsTold) {
    EXPECT_FALSE(buyer_too_fast(1));
    EXPECT_EQ(nearest.policy, "buyer");
    EXPECT_EQ(nearest.count.left, 1u);
    EXPECT_FALSE(buyer_too_fast(1));
    EXPECT_TRUE(buyer_too_fast(1));
    EXPECT_FALSE(buyer_too_fast(2));
    EXPECT_FALSE(buyer_too_fast(1, 1s));
    EXPECT_TRUE(buyer_too_fast(1, 1s));
}

TEST_F(SpeedTest, RoutesAreCountedApart) {
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(buyer_too_fast(1));
    EXPECT_FALSE(speed.buyer_too_fast(request(kRead), UserId{1}, nearest));
}

TEST_F(SpeedTest, ASaleIsSharedByAllWhoBuyInIt) {
    EXPECT_FALSE(speed.sale_is_full(request(kBuy))) << "no limit";
    limits.sale = {.per_second = 1, .burst = 2};
    rates.set(limits);
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(speed.sale_is_full(request(kBuy)));
    EXPECT_TRUE(speed.sale_is_full(request(kBuy)));
    EXPECT_EQ(exchange.response.status, 503);
    EXPECT_FALSE(speed.sale_is_full(request(kRead)));
    sale = "8";
    EXPECT_FALSE(speed.sale_is_full(request(kBuy)));
    sale = "rubbish";
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(speed.sale_is_full(request(kBuy)));
}

TEST_F(SpeedTest, TheNodeIsSharedByAllShoppers) {
    limits.node = {.per_second = 1, .burst = 2};
    rates.set(limits);
    for (int i = 0; i < 9; ++i) EXPECT_FALSE(speed.node_is_full(request(kBuy))) << "asking is free";
    EXPECT_FALSE(speed.node_gets_full(request(kBuy, "192.0.2.1")));
    EXPECT_FALSE(speed.node_gets_full(request(kRead, "192.0.2.2")));
    EXPECT_TRUE(speed.node_gets_full(request(kRead, "192.0.2.3")));
    EXPECT_TRUE(speed.node_is_full(request(kRead, "192.0.2.3")));
    EXPECT_EQ(exchange.response.status, 503);
    EXPECT_FALSE(speed.node_is_full(request(kWork))) << "operators come in";
    EXPECT_FALSE(speed.node_gets_full(request(kWork)));
    EXPECT_FALSE(speed.node_is_full(request(kRead, "192.0.2.3", 1s)));
}

TEST_F(SpeedTest, SwitchedOffNobodyIsTooFast) {
    scope.replace(false, {});
    limits.sale = limits.node = {.per_second = 1, .burst = 1};
    rates.set(limits);
    for (int i = 0; i < 50; ++i) {
        EXPECT_FALSE(address_too_fast("192.0.2.1"));
        EXPECT_FALSE(buyer_too_fast(1));
        EXPECT_FALSE(speed.sale_is_full(exchange));
        EXPECT_FALSE(speed.node_is_full(exchange));
    }
    EXPECT_TRUE(nearest.policy.empty());
}

}  // namespace
}  // namespace sluice::gate
