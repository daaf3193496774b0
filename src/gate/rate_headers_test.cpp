#include "gate/rate_headers.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

std::string written(const Headroom& headroom) {
    http::Response response;
    write_headroom(response, headroom);
    return std::string(response.extra_headers());
}

const Quota kBuying = Quota::of(Rate{.per_minute = 120, .burst = 20});

TEST(RateHeaders, SayWhatIsLeft) {
    EXPECT_EQ(written({"buyer", kBuying, {.wait = 0us, .left = 19, .full_in = 500ms}}),
              "RateLimit-Policy: \"buyer\";q=20;w=10\r\nRateLimit: \"buyer\";r=19;t=1\r\n");
}

TEST(RateHeaders, SayHowLongToWait) {
    EXPECT_EQ(written({"address", kBuying, {.wait = 1'001ms, .left = 0, .full_in = 10s}}),
              "RateLimit-Policy: \"address\";q=20;w=10\r\nRateLimit: \"address\";r=0;t=2\r\n");
}

TEST(RateHeaders, FitWhateverTheNumbers) {
    RateLimits limits;
    limits.people_per_address = kMostPeople;
    limits.of(RateClass::reading) = {.per_minute = 1, .burst = kMostPerMinute};
    const auto quota = Quota::of(limits.of(RateClass::reading), kMostPeople);
    const auto text = written({"address", quota, {.wait = 0us, .left = 59'999'999, .full_in = 1h}});
    EXPECT_LT(text.size(), 160u);
    EXPECT_NE(text.find("q=60000000;w=3600000"), text.npos) << text;
}

TEST(RateHeaders, TheNearerBoundIsTold) {
    const Headroom nobody;
    const Headroom half{"buyer", kBuying, {.wait = 0us, .left = 10, .full_in = 5s}};
    const Headroom most{"address", Quota::of(Rate{120, 20}, 10), {.wait = 0us, .left = 150}};
    EXPECT_TRUE(half.is_nearer_its_bound_than(most));
    EXPECT_FALSE(most.is_nearer_its_bound_than(half));
    EXPECT_TRUE(half.is_nearer_its_bound_than(nobody));
    EXPECT_FALSE(nobody.is_nearer_its_bound_than(half));
}

}  // namespace
}  // namespace sluice::gate
