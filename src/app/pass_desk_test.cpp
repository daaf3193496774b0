#include "app/pass_desk.hpp"

#include <gtest/gtest.h>

#include "support/pass_keys.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

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
};

TEST_F(PassDeskTest, GivesNoMorePlacesThanThereAre) {
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 2, kNow));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 2, kNow));
    const auto refused = desk.issue(buyer(3), kSale, 2, kNow + 10s);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().retry_after, 50s) << "when the first place is free again";
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

TEST_F(PassDeskTest, APlaceIsFreeAfterItsLastPassHasExpired) {
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow));
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 1, kNow + 30s));
    EXPECT_FALSE(desk.issue(buyer(2), kSale, 1, kNow + 60s));
    EXPECT_FALSE(desk.issue(buyer(2), kSale, 1, kNow + 90s - 1ms));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 1, kNow + 90s));
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
    desk.sweep(kNow + PassDesk::kLifetime - 1ms);
    EXPECT_EQ(desk.places(kSale), 2'500u);
    desk.sweep(kNow + PassDesk::kLifetime);
    EXPECT_EQ(desk.places(kSale), 0u);
    EXPECT_EQ(desk.places(SaleId{8}), 1u);
    EXPECT_TRUE(desk.has_places());
    desk.sweep(kNow + 1s + PassDesk::kLifetime);
    EXPECT_FALSE(desk.has_places());
}

TEST_F(PassDeskTest, PlacesGivenByAClockThatWasAheadAreFreeOnceItIsSetRight) {
    EXPECT_FALSE(desk.has_issued());
    EXPECT_TRUE(desk.issue(buyer(1), kSale, 10, kNow + 1h));
    EXPECT_TRUE(desk.issue(buyer(2), kSale, 10, kNow));
    EXPECT_TRUE(desk.has_issued());
    desk.sweep(kNow);
    EXPECT_EQ(desk.places(kSale), 1u);
}

}  // namespace
}  // namespace sluice
