#include "app/await_decision.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;

class AwaitDecisionTest : public testing::Test {
  protected:
    testing_support::ScriptedOrders orders;
    TicketRecord queued;

    AwaitDecisionTest() { queued.id = {SaleId{1}, Mark{1}}; }
    TicketRecord wait(milliseconds longest) {
        return run_to_end(await_decision(orders, queued, UserId{7}, longest));
    }
};

TEST_F(AwaitDecisionTest, ReturnsOnceItIsDecided) {
    auto decided = queued;
    decided.state = TicketState::committed;
    decided.order = OrderId{5};
    orders.looked_up = {std::nullopt, queued, decided};
    const auto record = wait(std::chrono::minutes{1});
    EXPECT_EQ(record.order, OrderId{5});
    EXPECT_EQ(orders.lookups, 3);
}

TEST_F(AwaitDecisionTest, IsStillQueuedWhenTheTimeIsOver) {
    EXPECT_EQ(wait(milliseconds{150}).state, TicketState::prepared);
    EXPECT_EQ(orders.lookups, 2);
    EXPECT_EQ(wait(milliseconds{0}).state, TicketState::prepared);
    EXPECT_EQ(orders.lookups, 2) << "nobody asked to wait";
}

TEST_F(AwaitDecisionTest, AJournalThatIsAwayChangesNothing) {
    orders.away = true;
    EXPECT_EQ(wait(milliseconds{50}).state, TicketState::prepared);
}

}  // namespace
}  // namespace sluice
