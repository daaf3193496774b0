#include "adapters/redis/sale_view.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice::redis {
namespace {

class WrittenDown final : public StockSignals {
  public:
    void sold_out(SaleId) noexcept override { text += 's'; }
    void restocked(SaleId) noexcept override { text += 'r'; }

    std::string text;
};

/// Of a copy in epoch 5 with 3 units left, read at position 10. Buyer 8 holds one.
class SaleViewTest : public testing::Test {
  protected:
    WrittenDown signals;
    SaleView view{SaleId{1}, &signals};

    void SetUp() override { load({5, 10}, 3); }
    void load(Position at, std::int64_t left) {
        ReadCopy copy{.at = at, .left = left, .units = {}};
        copy.units[UserId{8}] = 1;
        view.load(copy, SaleView::Clock::now());
    }
    static LogEntry entry(std::int64_t place, std::int64_t buyer, std::int64_t units,
                          std::int64_t left, std::int64_t epoch = 5) {
        return {.at = {epoch, place}, .buyer = UserId{buyer}, .units = units, .left = left};
    }
    std::int64_t left() const { return view.glance(UserId{1}).left; }
};

TEST_F(SaleViewTest, NothingIsKnownBeforeACopyIsRead) {
    SaleView blank(SaleId{1}, nullptr);
    EXPECT_FALSE(blank.glance(UserId{8}).warm);
    EXPECT_FALSE(blank.follow(entry(0, 7, 1, 2)));
    EXPECT_TRUE(view.glance(UserId{8}).warm);
    EXPECT_EQ(view.glance(UserId{8}).units, 1);
    EXPECT_FALSE(view.glance(UserId{7}).history);
}

TEST_F(SaleViewTest, LearnsFromTheLogInItsOrder) {
    EXPECT_TRUE(view.follow(entry(11, 7, 1, 2)));
    EXPECT_EQ(left(), 2);
    EXPECT_TRUE(view.glance(UserId{7}).history);
    EXPECT_TRUE(view.follow(entry(10, 7, 0, 3))) << "it has that";
    EXPECT_EQ(view.glance(UserId{7}).units, 1);
    EXPECT_FALSE(view.follow(entry(13, 6, 1, 0))) << "one is missing";
    EXPECT_FALSE(view.follow(entry(0, 0, 0, 9, 6))) << "another epoch";
    EXPECT_EQ(left(), 2);
}

TEST_F(SaleViewTest, AnAnswerOfOurOwnMayBeAheadOfTheLog) {
    view.hear(entry(12, 7, 2, 1));
    EXPECT_EQ(left(), 1);
    EXPECT_EQ(view.glance(UserId{7}).units, 2);
    EXPECT_EQ(view.position().place, 10);
    EXPECT_TRUE(view.follow(entry(11, 7, 1, 2)));
    EXPECT_EQ(left(), 1) << "older news never replace newer";
    EXPECT_EQ(view.glance(UserId{7}).units, 2);
    EXPECT_EQ(view.glance(UserId{7}).changes, 1);
    EXPECT_TRUE(view.follow(entry(12, 7, 2, 1)));
    EXPECT_EQ(view.glance(UserId{7}).changes, 1) << "the same change";
}

TEST_F(SaleViewTest, NothingLeftCountsWhenAllBeforeItWasRead) {
    EXPECT_EQ(signals.text, "r");
    view.hear(entry(13, 7, 1, 0));
    EXPECT_GT(left(), 0) << "who took the two before is not known yet";
    EXPECT_EQ(signals.text, "r");
    view.follow(entry(11, 5, 1, 2));
    view.follow(entry(12, 6, 1, 1));
    EXPECT_GT(left(), 0);
    view.follow(entry(13, 7, 1, 0));
    EXPECT_EQ(left(), 0);
    EXPECT_EQ(signals.text, "rs");
    view.hear(entry(14, 7, 0, 1));
    EXPECT_EQ(left(), 1);
    EXPECT_EQ(signals.text, "rsr");
}

TEST_F(SaleViewTest, AStateAtAPlaceIsNotTheEntryThatStandsThere) {
    view.note(entry(11, 7, 2, 0));
    EXPECT_EQ(view.glance(UserId{7}).units, 2);
    EXPECT_GT(left(), 0) << "place 11 itself was not read";
    EXPECT_EQ(view.position().place, 10);
    EXPECT_TRUE(view.follow(entry(11, 6, 1, 0)));
    EXPECT_TRUE(view.glance(UserId{6}).history);
    EXPECT_EQ(left(), 0);
    const auto changes = view.glance(UserId{7}).changes;
    view.note(entry(12, 7, 2, 0));
    EXPECT_EQ(view.glance(UserId{7}).changes, changes) << "nothing new";
}

TEST_F(SaleViewTest, SaysAgainThatNothingIsLeftOnlyIfItIsSo) {
    view.signal_sold_out_again();
    EXPECT_EQ(signals.text, "r");
    view.hear(entry(11, 7, 3, 0));
    view.signal_sold_out_again();
    EXPECT_EQ(signals.text, "rss");
}

TEST_F(SaleViewTest, ANewEpochKeepsThePastOfItsBuyers) {
    view.hear(entry(11, 7, 1, 2));
    const auto before = view.glance(UserId{7}).changes;
    load({6, 0}, 9);
    EXPECT_EQ(left(), 9);
    EXPECT_EQ(view.glance(UserId{7}).units, 0);
    EXPECT_TRUE(view.glance(UserId{7}).history);
    EXPECT_GT(view.glance(UserId{7}).changes, before);
    view.hear(entry(12, 4, 1, 1));
    EXPECT_EQ(left(), 9) << "of the epoch before";
    EXPECT_TRUE(view.glance(UserId{4}).history) << "but it was claimed";
}

TEST_F(SaleViewTest, WhatIsReadAnewNeverGoesBack) {
    view.hear(entry(14, 7, 1, 2));
    load({5, 12}, 3);
    EXPECT_EQ(view.glance(UserId{7}).units, 1) << "known from place 14";
    EXPECT_EQ(left(), 2);
    EXPECT_EQ(view.position().place, 12);
    load({5, 11}, 7);
    load({4, 99}, 7);
    EXPECT_EQ(left(), 2);
}

TEST_F(SaleViewTest, ClosesTheEpochThatWasMeant) {
    view.close(4);
    EXPECT_TRUE(view.glance(UserId{8}).warm);
    view.close(5);
    EXPECT_FALSE(view.glance(UserId{8}).warm);
    load({5, 10}, 3);
    EXPECT_TRUE(view.glance(UserId{8}).warm);
}

}  // namespace
}  // namespace sluice::redis
