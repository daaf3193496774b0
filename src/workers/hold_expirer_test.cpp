#include "workers/hold_expirer.hpp"

#include <numeric>

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class HoldExpirerTest : public testing::Test {
  protected:
    milliseconds round() { return run_to_end(expirer.expire_due()); }

    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders ledger;
    testing_support::ManualClock clock;
    Log log{Log::Level::error, Log::Format::text};
    HotOutbox outbox{gate, ledger, log};
    HoldExpirer expirer{ledger, outbox, clock, log};

    std::size_t expired() const {
        return std::accumulate(ledger.sizes.begin(), ledger.sizes.end(), std::size_t{0});
    }
};

TEST_F(HoldExpirerTest, SleepsUntilTheNextIsDueToTheMillisecond) {
    ledger.due = {clock.now() + milliseconds{1}};
    EXPECT_EQ(round(), milliseconds{1});
    EXPECT_THAT(ledger.sizes, IsEmpty()) << "one millisecond early";
    clock.move(milliseconds{1});
    round();
    EXPECT_THAT(ledger.sizes, ElementsAre(1U));
}

TEST_F(HoldExpirerTest, TheHotCopyLearnsOfItAtOnce) {
    gate.held[SaleId{1}] = {.epoch = 1, .left = 0, .holdings = {}};
    ledger.outbox[SaleId{1}] = {{.seq = 1, .delta_left = 1, .buyer = UserId{7}, .delta_units = -1}};
    ledger.due = {clock.now()};
    round();
    EXPECT_EQ(gate.applied, ledger.outbox[SaleId{1}]);
}

TEST_F(HoldExpirerTest, ExpiresNothingWhileTheTimeIsNotSure) {
    bool sure = false;
    HoldExpirer doubtful{ledger, outbox, clock, log, [&] { return sure; }};
    ledger.due = {clock.now()};
    run_to_end(doubtful.expire_due());
    EXPECT_THAT(ledger.sizes, IsEmpty());
    sure = true;
    run_to_end(doubtful.expire_due());
    EXPECT_THAT(ledger.sizes, ElementsAre(1U));
}

TEST_F(HoldExpirerTest, TakesManyInBitesAndGoesOnUntilNoneIsDue) {
    for (std::size_t i = 0; i < HoldExpirer::kAtOnce * 2 + 1; ++i)
        ledger.due.push_back(clock.now());
    ledger.due.push_back(clock.now() + seconds{7});
    EXPECT_EQ(round(), seconds{7});
    EXPECT_THAT(ledger.sizes, ElementsAre(HoldExpirer::kAtOnce, HoldExpirer::kAtOnce, 1U));
    EXPECT_EQ(expired(), HoldExpirer::kAtOnce * 2 + 1);
}

TEST_F(HoldExpirerTest, OnlyAnEarlierOrderIsNews) {
    EXPECT_TRUE(expirer.is_sooner(clock.now() + std::chrono::hours{24})) << "it has not looked yet";
    const auto next = clock.now() + seconds{5};
    ledger.due = {next};
    round();
    EXPECT_TRUE(expirer.is_sooner(next - milliseconds{1}));
    EXPECT_FALSE(expirer.is_sooner(next));
    ledger.due.clear();
    round();
    EXPECT_TRUE(expirer.is_sooner(next)) << "nothing is pending";
}

TEST_F(HoldExpirerTest, WhatIsStuckDoesNotKeepItBusy) {
    ledger.stuck = {{clock.now(), OrderId{1}}};
    EXPECT_EQ(round(), HoldExpirer::kTryAgain);
    EXPECT_EQ(expirer.stuck(), 1U);
    clock.move(HoldExpirer::kTryAgain - milliseconds{1});
    EXPECT_EQ(round(), milliseconds{1});
    EXPECT_EQ(ledger.stuck_seen, 1U) << "it was set aside";
    clock.move(milliseconds{1});
    round();
    EXPECT_EQ(ledger.stuck_seen, 2U) << "and is tried again";
    ledger.stuck.clear();
    clock.move(HoldExpirer::kTryAgain);
    round();
    EXPECT_EQ(expirer.stuck(), 0U) << "somebody has mended it";
}

TEST_F(HoldExpirerTest, ManyThatAreStuckAreNotInFrontOfOthers) {
    const auto now = clock.now();
    const auto many = HoldExpirer::kAtOnce * 2 + 1;
    for (std::size_t i = 1; i <= many; ++i)
        ledger.stuck.push_back({now, OrderId{static_cast<std::int64_t>(i)}});
    ledger.due = {now, now};
    round();
    EXPECT_EQ(expired(), 2U);
    EXPECT_EQ(expirer.stuck(), many);
    EXPECT_EQ(ledger.stuck_seen, many) << "each was looked at once";
    ledger.due = {clock.now() + seconds{7}};
    EXPECT_EQ(round(), seconds{7}) << "to the millisecond, as without them";
    EXPECT_FALSE(expirer.is_sooner(clock.now() + seconds{7}));
    clock.move(seconds{7});
    round();
    EXPECT_EQ(expired(), 3U);
    EXPECT_EQ(ledger.stuck_seen, many);
}

TEST_F(HoldExpirerTest, AClockThatIsSetBackHidesNothingForLong) {
    ledger.stuck = {{clock.now(), OrderId{1}}};
    round();
    clock.move(-std::chrono::hours{1});
    ledger.stuck = {{clock.now(), OrderId{2}}};
    round();
    EXPECT_EQ(ledger.stuck_seen, 2U);
}

TEST_F(HoldExpirerTest, WhatFailedStaysDue) {
    ledger.due = {clock.now()};
    ledger.away = true;
    EXPECT_THROW(round(), Outage);
    ledger.away = false;
    round();
    EXPECT_EQ(expired(), 1U);
}

}  // namespace
}  // namespace sluice
