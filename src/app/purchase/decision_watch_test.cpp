#include "app/purchase/decision_watch.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

TicketRecord queued(unsigned char number) {
    TicketRecord record;
    record.id = {SaleId{1}, Mark{number}};
    return record;
}

TicketRecord ordered(unsigned char number) {
    auto record = queued(number);
    record.state = TicketState::committed;
    record.order = OrderId{number};
    return record;
}

class DecisionWatchTest : public testing::Test {
  protected:
    testing_support::TestLoop loop;
    testing_support::ScriptedOrders orders;
    DecisionWatch watch{orders};
    std::vector<TicketRecord> told;

    void wait(unsigned char number, milliseconds longest = minutes{1}) {
        loop.spawn(watch.wait(queued(number), UserId{7}, longest),
                   [this](std::exception_ptr failure, TicketRecord record) {
                       EXPECT_FALSE(failure);
                       told.push_back(std::move(record));
                   });
        loop.poll();
    }
    void look() {
        run_to_end(watch.look());
        loop.poll();
    }
};

TEST_F(DecisionWatchTest, ReturnsOnceItIsDecided) {
    wait(1);
    wait(2);
    orders.journal = {queued(1), ordered(2)};
    look();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].order, OrderId{2});
    EXPECT_EQ(watch.waiting(), 1U);
    orders.journal = {ordered(1)};
    look();
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[1].order, OrderId{1});
    EXPECT_EQ(watch.waiting(), 0U);
}

TEST_F(DecisionWatchTest, ThousandsShareOneLook) {
    for (int i = 0; i < 3'000; ++i) wait(static_cast<unsigned char>(i % 200));
    look();
    EXPECT_EQ(orders.asked_for, std::vector<std::size_t>{200}) << "each ticket once";
    for (unsigned char number = 0; number < 200; ++number)
        orders.journal.push_back(ordered(number));
    look();
    EXPECT_EQ(told.size(), 3'000U);
    look();
    EXPECT_EQ(orders.asked_for.size(), 2U) << "nobody waits, nobody asks";
}

TEST_F(DecisionWatchTest, IsStillQueuedWhenTheTimeIsOver) {
    wait(1, milliseconds{0});
    ASSERT_EQ(told.size(), 1U) << "nobody asked to wait";
    wait(1, milliseconds{1});
    loop.run();
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[1].state, TicketState::prepared);
    EXPECT_EQ(watch.waiting(), 0U);
}

TEST_F(DecisionWatchTest, AJournalThatIsAwayChangesNothing) {
    wait(1);
    orders.away = true;
    EXPECT_THROW(look(), Outage);
    EXPECT_TRUE(told.empty());
    orders.away = false;
    orders.journal = {ordered(1)};
    look();
    EXPECT_EQ(told.size(), 1U);
}

TEST_F(DecisionWatchTest, OfAWishThatAnotherTicketDecidedItIsThatAnswer) {
    auto refused = queued(1);
    refused.state = TicketState::rolled_back;
    refused.same_as = queued(2).id;
    auto answer = ordered(2);
    answer.id = refused.id;
    orders.journal = {refused};
    orders.looked_up = {answer};
    wait(1);
    look();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].order, OrderId{2});
}

}  // namespace
}  // namespace sluice
