#include "gate/log_in_limiter.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"

namespace sluice::gate {
namespace {

using namespace std::chrono_literals;

class LogInLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    LogInLimiter limiter{scope, {1, 2, 3}};
    LogInLimiter::Instant now = std::chrono::steady_clock::now() + 1h;
    const Address here = *Address::parse("203.0.113.7");

    auto try_it(std::string_view phone, const Address& from) {
        return limiter.count({.whose = phone, .client = from}, now).count.wait;
    }
    auto try_from(const DeviceId& device, std::string_view phone, const Address& from) {
        return limiter.count({.whose = phone, .client = from, .device = device}, now).count.wait;
    }
    int tries(std::string_view phone, const Address& from) {
        int count = 0;
        while (count < 1'000 && try_it(phone, from) == 0ms) ++count;
        return count;
    }
};

TEST_F(LogInLimiterTest, AllowsTenMistakesAndThenTwoAMinute) {
    EXPECT_EQ(tries("13800000001", here), 10);
    EXPECT_EQ(try_it("13800000001", here), 30s);
    now += 30s - 1ms;
    EXPECT_EQ(try_it("13800000001", here), 1ms);
    now += 1ms;
    EXPECT_EQ(try_it("13800000001", here), 0ms);
    EXPECT_EQ(try_it("13800000001", here), 30s);
}

TEST_F(LogInLimiterTest, ARivalElsewhereLocksOutOnlyThemselves) {
    EXPECT_EQ(tries("13800000001", *Address::parse("198.51.100.1")), 10);
    EXPECT_EQ(try_it("13800000001", here), 0ms);
    EXPECT_EQ(try_it("13800000002", *Address::parse("198.51.100.1")), 0ms);
}

TEST_F(LogInLimiterTest, AHouseholdIsOneAddress) {
    EXPECT_EQ(tries("13800000001", *Address::parse("2001:db8::1")), 10);
    EXPECT_GT(try_it("13800000001", *Address::parse("2001:db8::2")), 0ms);
    EXPECT_EQ(try_it("13800000001", *Address::parse("2001:db8:0:1::1")), 0ms);
}

TEST_F(LogInLimiterTest, ALogInForgivesWhatWentBefore) {
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 9; ++k) EXPECT_EQ(try_it("13800000001", here), 0ms);
        EXPECT_EQ(try_it("13800000001", here), 0ms);
        run_to_end(limiter.forgive({.whose = "13800000001", .client = here}));
    }
    EXPECT_EQ(tries("13800000001", here), 10);
}

TEST_F(LogInLimiterTest, AThousandAddressesGainLittle) {
    int tried = 0;
    for (int i = 0; i < 250; ++i)
        tried += tries("13800000001", *Address::parse("198.51.100." + std::to_string(i)));
    EXPECT_EQ(tried, 50);
    EXPECT_GT(try_it("13800000001", here), 0ms) << "also from where nobody was wrong";
    EXPECT_EQ(try_it("13800000002", here), 0ms) << "only for that account";
    now += 1h;
    EXPECT_EQ(try_it("13800000001", here), 0ms);
}

TEST_F(LogInLimiterTest, ADeviceThatWasHereBeforeIsNotKeptOutByStrangers) {
    const DeviceId known{1};
    for (int i = 0; i < 250; ++i)
        tries("13800000001", *Address::parse("198.51.100." + std::to_string(i)));
    tries("13800000001", here);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(try_from(known, "13800000001", here), 0ms);
    EXPECT_EQ(try_from(known, "13800000001", here), 30s) << "its own mistakes count";
    EXPECT_EQ(try_from(DeviceId{2}, "13800000001", here), 0ms);
    run_to_end(limiter.forgive({.whose = "13800000001", .client = here, .device = known}));
    EXPECT_EQ(try_from(known, "13800000001", here), 0ms);
}

TEST_F(LogInLimiterTest, ACustomerWithManyHouseholdsIsStillOne) {
    int tried = 0;
    for (int net = 0; net < 20; ++net)
        tried += tries("13800000001", *Address::parse("2001:db8:0:" + std::to_string(net) + "::1"));
    EXPECT_EQ(tried, 40);
}

TEST_F(LogInLimiterTest, WhoeverIsRightMayLogInAsOftenAsTheyLike) {
    for (int i = 0; i < 500; ++i) {
        EXPECT_EQ(try_it("13800000001", here), 0ms) << i;
        run_to_end(limiter.forgive({.whose = "13800000001", .client = here}));
    }
    EXPECT_EQ(tries("13800000001", here), 10) << "and has all mistakes left";
}

TEST_F(LogInLimiterTest, CanBeTurnedOffAndLeavesExemptNetworksAlone) {
    scope.replace(true, {*Network::parse("10.0.0.0/8")});
    EXPECT_EQ(tries("13800000001", *Address::parse("10.1.2.3")), 1'000);
    EXPECT_EQ(tries("13800000001", here), 10);
    scope.replace(false, {});
    EXPECT_EQ(tries("13800000001", here), 1'000);
}

TEST_F(LogInLimiterTest, EachSecretHasCountsOfItsOwn) {
    using Secret = LogInLimiter::Secret;
    for (int i = 0; i < 200; ++i) try_it("7", *Address::parse("203.0.113." + std::to_string(i)));
    EXPECT_GT(try_it("7", here), 0ms) << "as a phone it was typed too often";
    for (const auto secret : {Secret::own_password, Secret::second_factor})
        EXPECT_EQ(limiter.count({.whose = "7", .client = here, .secret = secret}, now).count.wait,
                  0ms);
}

TEST_F(LogInLimiterTest, ManyDevicesOfOnePhoneGainLittle) {
    int guesses = 0;
    DeviceId device{};
    for (int i = 0; i < 100; ++i) {
        device[0] = static_cast<unsigned char>(i);
        for (int tries = 0; tries < 10; ++tries)
            guesses += try_from(device, "13800000001", here) == 0ms;
    }
    EXPECT_EQ(guesses, 40 + 10) << "all devices together, and then what a stranger has here";
    EXPECT_EQ(try_from(device, "13800000002", here), 0ms);
    now += 15s;
    device[0] = 200;
    EXPECT_EQ(try_from(device, "13800000001", here), 0ms);
}

}  // namespace
}  // namespace sluice::gate
