#include "app/accounts/factor_watch.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_users.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class ScriptedTrail final : public TrailLedger {
  public:
    Task<std::vector<Entry>> list(Wanted, std::size_t) override { co_return std::vector<Entry>{}; }
    Task<Done> add(Deed deed) override {
        deeds.push_back(std::move(deed));
        co_return Done{};
    }

    std::vector<Deed> deeds;
};

class FactorWatchTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    std::string written;
    Log log{Log::Level::debug, Log::Format::text,
            [this](std::string_view line) { written += line; }, [] { return Timestamp{}; }};
    ScriptedTrail trail;
    testing_support::ScriptedUsers users;
    IdSource ids{1};
    FactorWatch watch{trail, users, clock, ids, log};

    FactorWatchTest() {
        Account account;
        account.user.id = UserId{7};
        account.user.phone = "13800000001";
        account.user.name = "Li Wei";
        users.accounts.emplace(account.user.phone, account);
    }
    void is_wrong(int times, UserId user = UserId{7}) {
        for (int i = 0; i < times; ++i)
            run_to_end(watch.note_wrong(
                {.id = user, .address = "203.0.113.9", .request_id = "r" + std::to_string(i)}));
    }
};

TEST_F(FactorWatchTest, AFewSlipsAreNobodysBusiness) {
    is_wrong(4);
    EXPECT_EQ(written, "");
    EXPECT_TRUE(trail.deeds.empty());
    EXPECT_TRUE(watch.take().empty());
}

TEST_F(FactorWatchTest, ABurstIsInTheLogTheTrailAndTheAlerts) {
    is_wrong(5);
    EXPECT_EQ(written,
              "1970-01-01T00:00:00.000Z WARN second_factor.guessed user=\"7\" "
              "address=\"203.0.113.9\" wrong=5\n");
    ASSERT_EQ(trail.deeds.size(), 1u);
    const auto& deed = trail.deeds.front();
    EXPECT_EQ(deed.action, "user.second_factor_guessed");
    EXPECT_EQ(deed.subject, "7");
    EXPECT_EQ(deed.actor, UserId{7});
    EXPECT_EQ(deed.address, "203.0.113.9");
    EXPECT_EQ(deed.after, R"({"wrong_codes":5})");
    const auto guessed = watch.take();
    ASSERT_EQ(guessed.size(), 1u);
    EXPECT_EQ(guessed.front().user, UserId{7});
    EXPECT_EQ(guessed.front().name, "Li Wei");
    EXPECT_EQ(guessed.front().wrong, 5u);
    EXPECT_TRUE(watch.take().empty()) << "each is told once";
}

TEST_F(FactorWatchTest, WhoeverIsPatientIsToldOfToo) {
    for (int i = 0; i < 72; ++i) {
        is_wrong(1);
        clock.move(20min);
    }
    EXPECT_EQ(trail.deeds.size(), 14u);
}

TEST_F(FactorWatchTest, EachAccountIsCountedByItself) {
    is_wrong(4);
    is_wrong(4, UserId{8});
    EXPECT_TRUE(trail.deeds.empty());
    is_wrong(1);
    EXPECT_EQ(trail.deeds.size(), 1u);
}

TEST_F(FactorWatchTest, WhatWasWrongADayAgoIsForgotten) {
    is_wrong(4);
    clock.move(FactorWatch::kRemembered);
    is_wrong(4);
    EXPECT_TRUE(trail.deeds.empty());
}

}  // namespace
}  // namespace sluice
