#include "app/passes/pass_desk.hpp"

#include <map>

#include <gtest/gtest.h>

#include "support/pass_keys.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Why = PassDesk::Full::Why;

constexpr Timestamp kNow = from_millis(1'794'513'600'000);
constexpr SaleId kSale{7};

Caller buyer(std::int64_t id) {
    Caller caller;
    caller.id = UserId{id};
    return caller;
}

class PassDeskTest : public testing::Test {
  protected:
    const PassKeyRing keys{{testing_support::pass_key(1)}};
    const Passes passes{keys};
    testing_support::SeededRandom random{1};
    PassDesk desk{passes, random};
    const std::function<bool(SaleId)> selling = [](SaleId) { return true; };
};

TEST_F(PassDeskTest, GivesNoMorePlacesThanThereAre) {
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 2, kNow));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 2, kNow));
    const auto refused = desk.issue(buyer(3), kSale, 2, kNow + 10s);
    ASSERT_FALSE(refused);
    EXPECT_GE(refused.error().retry_after, PassDesk::kShortestRetry);
    EXPECT_LE(refused.error().retry_after, 2 * PassDesk::kShortestRetry);
    EXPECT_EQ(refused.error().why, Why::taken);
    EXPECT_TRUE(desk.issue(buyer(3), SaleId{8}, 1, kNow)) << "sales do not share places";
}

TEST_F(PassDeskTest, ABuyerHasOnePlaceHoweverManyPasses) {
    const auto first = desk.issue(buyer(1), kSale, 1, kNow);
    const auto second = desk.issue(buyer(1), kSale, 1, kNow + 5s);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->pass, second->pass);
    EXPECT_EQ(desk.places(kSale), 1u);
    for (const auto& text : {first->pass, second->pass})
        EXPECT_TRUE(passes.read(text, UserId{1}, kSale));
}

TEST_F(PassDeskTest, APlaceLastsNoLongerHoweverOftenItIsAskedFor) {
    const auto first = desk.issue(buyer(1), kSale, 1, kNow);
    const auto second = desk.issue(buyer(1), kSale, 1, kNow + 30s);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(second->expires_at, first->expires_at);
    EXPECT_FALSE(desk.issue(buyer(2), kSale, 1, kNow + 60s - 1ms));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, kNow + 60s));
}

TEST_F(PassDeskTest, APlaceThatLapsesCostsItsHolderAWaitThatGrows) {
    auto now = kNow;
    for (const auto wait : {60s, 120s, 240s, 480s, 960s, 1'800s, 1'800s}) {
        ASSERT_TRUE(desk.issue(buyer(1), kSale, 1, now));
        now += PassDesk::kLifetime;
        const auto refused = desk.issue(buyer(1), kSale, 1, now);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().why, Why::lapsed);
        EXPECT_EQ(refused.error().retry_after, wait);
        EXPECT_FALSE(desk.issue(buyer(1), kSale, 1, now + wait - 1ms));
        EXPECT_TRUE(desk.issue(buyer(1), SaleId{8}, 1, now)) << "only in that sale";
        desk.note_claim(UserId{1}, SaleId{8}, false);
        now += wait;
    }
    EXPECT_EQ(desk.lapses(), 7u);
    now += PassDesk::kForgiven;
    ASSERT_TRUE(desk.issue(buyer(1), kSale, 1, now));
    EXPECT_EQ(desk.issue(buyer(1), kSale, 1, now + 60s).error().retry_after, 60s) << "begins anew";
}

TEST_F(PassDeskTest, WhoBoughtHasLetNothingLapse) {
    ASSERT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    desk.note_claim(UserId{1}, kSale, true);
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow + 60s));
    desk.note_claim(UserId{1}, kSale, false);
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow + 120s));
    EXPECT_EQ(desk.lapses(), 0u);
}

TEST_F(PassDeskTest, WhoCouldNotBuyHasLetNothingLapse) {
    ASSERT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    desk.sweep(kNow + 60s, [](SaleId) { return false; });
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow + 60s));
    EXPECT_EQ(desk.lapses(), 0u);
}

TEST_F(PassDeskTest, AFreePlaceGoesByLotToThoseWhoWait) {
    // Buyer 1 has the place; 2 to 11 wait; 12 asks at the very moment it is free.
    std::map<std::int64_t, int> won;
    for (int sale = 1; sale <= 1'100; ++sale) {
        const SaleId id{sale};
        ASSERT_TRUE(desk.issue(buyer(1), id, 1, kNow));
        for (std::int64_t waiting = 2; waiting <= 11; ++waiting)
            EXPECT_FALSE(desk.issue(buyer(waiting), id, 1, kNow));
        desk.note_claim(UserId{1}, id, false);
        if (desk.issue(buyer(12), id, 1, kNow + 1s)) ++won[12];
        for (std::int64_t waiting = 2; waiting <= 11; ++waiting)
            if (desk.issue(buyer(waiting), id, 1, kNow + 2s)) ++won[waiting];
        EXPECT_EQ(desk.places(id), 1u);
    }
    int all = 0;
    for (std::int64_t each = 2; each <= 12; ++each) {
        EXPECT_GT(won[each], 50) << each << ": a hundred would be even";
        EXPECT_LT(won[each], 160) << each;
        all += won[each];
    }
    EXPECT_EQ(all, 1'100);
}

TEST_F(PassDeskTest, WhatWasDrawnForSomebodyWhoStaysAwayIsDrawnAgain) {
    ASSERT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    ASSERT_FALSE(desk.issue(buyer(2), kSale, 1, kNow));
    desk.note_claim(UserId{1}, kSale, false);
    bool is_drawn_for_the_other = false;
    auto now = kNow;
    while (!is_drawn_for_the_other && now < kNow + 60s) {
        now += 1s;
        is_drawn_for_the_other = desk.issue(buyer(3), kSale, 1, now).has_value();
    }
    EXPECT_TRUE(is_drawn_for_the_other);
    EXPECT_LE(now, kNow + 8 * PassDesk::kShortestRetry / 3 + PassDesk::kGrace + 1s);
}

TEST_F(PassDeskTest, WhoWasDrawnAndDidNotComeHasLetNoPassLapse) {
    auto now = kNow;
    // Each time buyer 2 is the only one who waits, and the place is drawn when buyer 1 has bought.
    const auto miss = [&] {
        ASSERT_TRUE(desk.issue(buyer(1), kSale, 1, now));
        ASSERT_FALSE(desk.issue(buyer(2), kSale, 1, now));
        desk.note_claim(UserId{1}, kSale, false);
        // Whoever asks next makes the desk draw: buyer 3 asks until it falls on buyer 2.
        while (desk.issue(buyer(3), kSale, 1, now)) desk.note_claim(UserId{3}, kSale, false);
        now += 2 * PassDesk::kShortestRetry * 4 / 3 + PassDesk::kGrace;
        desk.sweep(now, selling);
        ASSERT_EQ(desk.places(kSale), 0u);
    };
    miss();
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, now)) << "the first time costs nothing";
    desk.note_claim(UserId{2}, kSale, false);
    for (int times = 2; times < 5; ++times) {
        miss();
        const auto refused = desk.issue(buyer(2), kSale, 1, now);
        ASSERT_FALSE(refused) << times;
        EXPECT_EQ(refused.error().why, Why::missed);
        EXPECT_LE(refused.error().retry_after, PassDesk::kMissedWait) << "it does not grow";
        now += refused.error().retry_after;
        EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, now));
        desk.note_claim(UserId{2}, kSale, false);
    }
    EXPECT_EQ(desk.lapses(), 0u);
    ASSERT_TRUE(desk.issue(buyer(2), kSale, 1, now));
    now += PassDesk::kLifetime;
    const auto lapsed = desk.issue(buyer(2), kSale, 1, now);
    ASSERT_FALSE(lapsed);
    EXPECT_EQ(lapsed.error().why, Why::lapsed);
    EXPECT_EQ(lapsed.error().retry_after, PassDesk::kFirstWait)
        << "a pass lapsed for the first time";
    now += PassDesk::kFirstWait + PassDesk::kForgiven;
    miss();
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, now)) << "forgiven";
}

TEST_F(PassDeskTest, TwoUnitsAreSoldAlthoughThirtyAccountsTakePassesAndNeverBuy) {
    // The places of a gate with factor 5 are taken by those who came first and never buy. Everybody
    // comes back when Retry-After says.
    struct Person {
        std::int64_t id;
        Timestamp next;
    };
    std::vector<Person> people;
    for (std::int64_t id = 1; id <= 60; ++id) people.push_back({id, id <= 30 ? kNow : kNow + 1ms});
    const auto is_honest = [](std::int64_t id) { return id > 30; };
    std::int64_t left = 2;
    auto now = kNow;
    for (; left > 0 && now < kNow + 200s; now += 1ms)
        for (auto& person : people) {
            if (person.next > now || left == 0) continue;
            const auto issued = desk.issue(buyer(person.id), kSale, left * 5, now);
            if (!issued) {
                person.next = now + issued.error().retry_after;
            } else if (is_honest(person.id)) {
                desk.note_claim(UserId{person.id}, kSale, false);
                person.next = Timestamp::max();
                --left;
            } else {
                person.next = issued->expires_at;
            }
        }
    EXPECT_EQ(left, 0);
    EXPECT_LT(now, kNow + 75s) << "soon after the first places lapsed";
}

TEST_F(PassDeskTest, APlaceIsFreeAfterBuying) {
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    desk.note_claim(UserId{1}, kSale, false);
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, kNow));
}

TEST_F(PassDeskTest, AskingAgainGivesTheSamePassAndDoesNotMakeThePlaceLast) {
    EXPECT_FALSE(desk.renew(buyer(1), kSale, kNow)) << "there is no place";
    const auto first = desk.issue(buyer(1), kSale, 1, kNow);
    const auto again = desk.renew(buyer(1), kSale, kNow + 60s - 1ms);
    ASSERT_TRUE(first && again);
    EXPECT_EQ(first->pass, again->pass) << "each pass buys once, and a challenge is good for one";
    EXPECT_EQ(again->expires_at, first->expires_at);
    EXPECT_EQ(desk.places(kSale), 1u);
    EXPECT_FALSE(desk.renew(buyer(2), kSale, kNow)) << "that of another buyer is not theirs";
    EXPECT_FALSE(desk.renew(buyer(1), SaleId{8}, kNow));
    EXPECT_FALSE(desk.renew(buyer(1), kSale, kNow + 60s));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, kNow + 60s));
}

TEST_F(PassDeskTest, AfterBuyingThereIsNoPlaceToRenew) {
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    desk.note_claim(UserId{1}, kSale, false);
    EXPECT_FALSE(desk.renew(buyer(1), kSale, kNow));
}

TEST_F(PassDeskTest, AClosedGateLetsNobodyIn) {
    EXPECT_FALSE(desk.issue(buyer(1), kSale, 0, kNow));
}

TEST_F(PassDeskTest, APlaceThatMayStillWinStaysTakenButGivesNoMorePasses) {
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    desk.note_claim(UserId{1}, kSale, true);
    EXPECT_FALSE(desk.issue(buyer(2), kSale, 1, kNow)) << "other passes may be out on it";
    EXPECT_FALSE(desk.renew(buyer(1), kSale, kNow)) << "a challenge is good for one purchase";
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow)) << "for the next challenge";
    EXPECT_TRUE(desk.renew(buyer(1), kSale, kNow));
}

TEST_F(PassDeskTest, PlacesOfASaleThatNobodyAsksForAreSwept) {
    for (std::int64_t id = 1; id <= 2'500; ++id)
        EXPECT_TRUE(desk.issue(buyer(id), kSale, 10'000, kNow));
    EXPECT_TRUE(desk.issue(buyer(1), SaleId{8}, 1, kNow + 1s));
    desk.sweep(kNow + PassDesk::kLifetime - 1ms, selling);
    EXPECT_EQ(desk.places(kSale), 2'500u);
    desk.sweep(kNow + PassDesk::kLifetime, selling);
    EXPECT_EQ(desk.places(kSale), 0u);
    EXPECT_EQ(desk.places(SaleId{8}), 1u);
    EXPECT_TRUE(desk.has_places());
    desk.sweep(kNow + 1s + PassDesk::kLifetime, selling);
    EXPECT_FALSE(desk.has_places());
}

TEST_F(PassDeskTest, PlacesGivenByAClockThatWasAheadAreFreeOnceItIsSetRight) {
    EXPECT_FALSE(desk.has_issued());
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 10, kNow + 1h));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 10, kNow));
    EXPECT_TRUE(desk.has_issued());
    desk.sweep(kNow, selling);
    EXPECT_EQ(desk.places(kSale), 1u);
}

}  // namespace
}  // namespace sluice
