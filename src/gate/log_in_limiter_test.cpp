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

class SecondFactorLimiterTest : public testing::Test {
  protected:
    LimitScope scope;
    LogInLimiter limiter{scope, {1, 2, 3}, nullptr, LogInLimiter::kSecondFactors};
    LogInLimiter::Instant now = std::chrono::steady_clock::now() + 1h;
    const Address here = *Address::parse("203.0.113.7");

    static LogInLimiter::Try as_try(const Address& from, std::optional<DeviceId> device = {}) {
        return {.whose = "7",
                .client = from,
                .secret = LogInLimiter::Secret::log_in_factor,
                .device = device};
    }
    auto try_it(const Address& from, std::optional<DeviceId> device = {}) {
        return limiter.count(as_try(from, device), now).count.wait;
    }
    int tries_from_everywhere() {
        int tried = 0;
        for (int i = 1; i < 250; ++i)
            while (try_it(*Address::parse("198.51.100." + std::to_string(i))) == 0ms) ++tried;
        return tried;
    }
};

TEST_F(SecondFactorLimiterTest, TenFromEverywhereAndThenThreeAnHour) {
    EXPECT_EQ(tries_from_everywhere(), 10);
    EXPECT_EQ(limiter.count(as_try(here), now).policy, "second_factor");
    EXPECT_EQ(try_it(here), 20min) << "also from where nobody was wrong";
    now += 24h;
    int in_a_day = 0;
    for (int minute = 0; minute < 24 * 60; ++minute, now += 1min) in_a_day += try_it(here) == 0ms;
    EXPECT_EQ(in_a_day, 10 + 71);
}

TEST_F(SecondFactorLimiterTest, AKnownDeviceIsNotKeptOut) {
    tries_from_everywhere();
    const DeviceId known{1};
    for (int i = 0; i < 10; ++i) EXPECT_EQ(try_it(here, known), 0ms);
    EXPECT_EQ(try_it(here, known), 20min) << "its own mistakes count";
    run_to_end(limiter.forgive(as_try(here, known)));
    EXPECT_EQ(try_it(here, known), 0ms);
}

TEST_F(SecondFactorLimiterTest, ManyDevicesGainLittle) {
    int tried = 0;
    DeviceId device{};
    for (int i = 0; i < 100; ++i) {
        device[0] = static_cast<unsigned char>(i);
        while (try_it(here, device) == 0ms) ++tried;
    }
    EXPECT_EQ(tried, 20 + 10) << "all devices together, and then what strangers have";
}

TEST_F(SecondFactorLimiterTest, HoldsForExemptNetworksToo) {
    scope.replace(true, {*Network::parse("198.51.100.0/24")});
    EXPECT_EQ(tries_from_everywhere(), 10);
    scope.replace(false, {});
    EXPECT_EQ(try_it(here), 0ms);
}

}  // namespace
}  // namespace sluice::gate
