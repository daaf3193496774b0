#include "app/passes/listed_buyers.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_lists.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class ListedBuyersTest : public testing::Test {
  protected:
    testing_support::ScriptedLists ledger;
    testing_support::ManualClock clock;
    ListedBuyers listed{ledger, {}, clock};
    Sale sale;

    void SetUp() override {
        sale.id = SaleId{1};
        ledger.is_named = [](UserId user) { return user.value % 2 == 0; };
    }
    bool ask(std::int64_t buyer) { return run_to_end(listed.ask(sale, UserId{buyer})); }
};

TEST_F(ListedBuyersTest, AnswersFromMemoryUntilItsLifeIsOver) {
    EXPECT_EQ(listed.peek(sale, UserId{3}), std::nullopt);
    EXPECT_FALSE(ask(3));
    EXPECT_TRUE(ask(4));
    for (int i = 0; i < 1'000; ++i) EXPECT_FALSE(ask(3));
    EXPECT_EQ(listed.peek(sale, UserId{4}), true);
    EXPECT_EQ(ledger.questions, 2);
    clock.move(ListedBuyers::kLife - 1ms);
    EXPECT_EQ(listed.peek(sale, UserId{3}), false);
    clock.move(1ms);
    EXPECT_EQ(listed.peek(sale, UserId{3}), std::nullopt);
    EXPECT_FALSE(ask(3));
    EXPECT_EQ(ledger.questions, 3);
}

TEST_F(ListedBuyersTest, AnAnswerCountsForItsSaleAndItsVersion) {
    EXPECT_TRUE(ask(4));
    sale.list_version = 1;
    EXPECT_EQ(listed.peek(sale, UserId{4}), std::nullopt);
    EXPECT_TRUE(ask(4));
    sale.list_version = 0;
    EXPECT_EQ(listed.peek(sale, UserId{4}), std::nullopt) << "a view that is late asks anew";
    sale.id = SaleId{2};
    EXPECT_EQ(listed.peek(sale, UserId{4}), std::nullopt);
}

TEST_F(ListedBuyersTest, AnOutageIsNoAnswer) {
    ledger.is_away = true;
    EXPECT_THROW(ask(4), Outage);
    EXPECT_THROW(ask(4), Outage);
    ledger.is_away = false;
    EXPECT_TRUE(ask(4));
    ledger.is_away = true;
    EXPECT_TRUE(ask(4)) << "until its life is over";
    clock.move(ListedBuyers::kLife);
    EXPECT_THROW(ask(4), Outage);
}

TEST_F(ListedBuyersTest, AClockThatStepsBackKeepsNoAnswerLonger) {
    clock.move(1h);
    EXPECT_TRUE(ask(4));
    clock.move(-1h);
    EXPECT_EQ(listed.peek(sale, UserId{4}), std::nullopt);
}

TEST_F(ListedBuyersTest, ItsMemoryIsBounded) {
    for (std::size_t i = 0; i < ListedBuyers::kMost + 10'000; ++i)
        ask(static_cast<std::int64_t>(i) + 1);
    EXPECT_LE(listed.known(), ListedBuyers::kMost);
}

}  // namespace
}  // namespace sluice
