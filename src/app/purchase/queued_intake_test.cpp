#include "app/purchase/queued_intake.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scripted_ports.hpp"
#include "support/scripted_tickets.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using Fate = OrderIntake::Fate;
using testing::ElementsAre;

Ticket ticket(unsigned char number) {
    Ticket made;
    made.id = {SaleId{1}, Mark{number}};
    made.buyer = UserId{number};
    return made;
}

class QueuedIntakeTest : public testing::Test {
  protected:
    testing_support::TestLoop loop;
    testing_support::ScriptedQueue queue;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedTickets ledger;
    std::vector<TicketId> failed;
    QueuedIntake intake{queue,
                        gate,
                        ledger,
                        {.batch = 3,
                         .backlog = 8,
                         .messages = 1,
                         .on_failure = [this](const Ticket& each, std::string_view) {
                             failed.push_back(each.id);
                         }}};
    std::map<TicketId, OrderIntake::Taken> told;

    void submit(unsigned char number) {
        auto slot = intake.reserve();
        ASSERT_TRUE(slot);
        loop.spawn(intake.submit(std::move(*slot), ticket(number)),
                   [this, number](std::exception_ptr failure, OrderIntake::Taken taken) {
                       EXPECT_FALSE(failure);
                       told.emplace(ticket(number).id, std::move(taken));
                   });
    }
    Fate fate_of(unsigned char number) { return told.at(ticket(number).id).fate; }
};

TEST_F(QueuedIntakeTest, IsQueuedOnceTheBrokerKeepsItAndTheCopyHasMarkedIt) {
    submit(1);
    loop.run();
    EXPECT_EQ(fate_of(1), Fate::queued);
    EXPECT_THAT(gate.calls, ElementsAre("hand_off"));
    EXPECT_EQ(queue.messages.size(), 1U);
    EXPECT_TRUE(ledger.journal.empty());
    EXPECT_EQ(intake.backlog(), 0U);
}

TEST_F(QueuedIntakeTest, WhatWaitsGoesIntoOneMessage) {
    queue.holds_confirms = true;
    for (unsigned char number = 1; number <= 6; ++number) submit(number);
    loop.poll();
    EXPECT_EQ(intake.backlog(), 6U);
    queue.confirm();
    loop.run();
    EXPECT_THAT(queue.posted, ElementsAre(1, 3, 2)) << "no more than three in a message";
    EXPECT_EQ(told.size(), 6U);
}

TEST_F(QueuedIntakeTest, WithoutAConfirmTheJournalTakesIt) {
    queue.keeps = false;
    submit(1);
    loop.run();
    EXPECT_EQ(fate_of(1), Fate::queued);
    EXPECT_THAT(gate.calls, ElementsAre()) << "what the broker may not have is not marked";
    EXPECT_EQ(ledger.journal.at(ticket(1).id).state, TicketState::prepared);
}

TEST_F(QueuedIntakeTest, WhatTheCopyDidNotMarkGoesByTheJournal) {
    gate.unmarkable = {ticket(1).id};
    auto fence = prepare(ticket(1));
    roll_back(fence, Reason::busy);
    ledger.journal.emplace(fence.id, fence);
    submit(1);
    submit(2);
    loop.run();
    EXPECT_EQ(fate_of(1), Fate::refused) << "the reaper had condemned it";
    EXPECT_EQ(told.at(ticket(1).id).own.reason, Reason::busy);
    EXPECT_EQ(fate_of(2), Fate::queued);
}

TEST_F(QueuedIntakeTest, WhenTheHotCopyIsAwayOrCrowdedTheJournalTakesIt) {
    gate.is_away = true;
    submit(1);
    loop.run();
    gate.is_away = false;
    gate.is_crowded = true;
    submit(2);
    loop.run();
    EXPECT_EQ(fate_of(1), Fate::queued);
    EXPECT_EQ(fate_of(2), Fate::queued);
    EXPECT_EQ(ledger.journal.size(), 2U);
}

TEST_F(QueuedIntakeTest, WithNeitherBrokerNorJournalNothingIsKnown) {
    queue.keeps = false;
    ledger.away = true;
    submit(1);
    loop.run();
    EXPECT_EQ(fate_of(1), Fate::unknown);
    ledger.away = false;
    submit(1);
    loop.run();
    EXPECT_EQ(ledger.journal.size(), 1U);
}

TEST_F(QueuedIntakeTest, ATicketThatTheJournalCannotTakeFailsAlone) {
    queue.keeps = false;
    ledger.bad = {ticket(2).id};
    submit(1);
    submit(2);
    submit(3);
    loop.run();
    EXPECT_EQ(fate_of(1), Fate::queued);
    EXPECT_EQ(fate_of(2), Fate::unknown);
    EXPECT_EQ(fate_of(3), Fate::queued);
    EXPECT_THAT(failed, ElementsAre(ticket(2).id));
}

/// Keeps those who post waiting, all at once.
class SlowQueue final : public TicketQueue {
  public:
    std::vector<std::size_t> posted;

    Task<bool> post(std::vector<Ticket> tickets) override {
        posted.push_back(tickets.size());
        auto start = [this](Completion<Done> resume) { waiting_.push_back(std::move(resume)); };
        co_await await_completion<Done>(std::move(start));
        co_return true;
    }
    void confirm_all() {
        for (auto& resume : std::exchange(waiting_, {})) resume(nullptr, Done{});
    }

  private:
    std::vector<Completion<Done>> waiting_;
};

TEST_F(QueuedIntakeTest, AnotherMessageIsSentOnlyWhenAWholeOneWaits) {
    SlowQueue slow;
    QueuedIntake crowd(slow, gate, ledger,
                       {.batch = 3, .backlog = 8, .messages = 3, .eager = 1, .on_failure = {}});
    int answers = 0;
    const auto enter = [&](unsigned char number) {
        loop.spawn(crowd.submit(crowd.reserve().value(), ticket(number)),
                   [&](const std::exception_ptr&, const OrderIntake::Taken&) { ++answers; });
        loop.poll();
    };
    enter(1);
    enter(2);
    enter(3);
    EXPECT_THAT(slow.posted, ElementsAre(1)) << "two wait, which is less than a message";
    enter(4);
    EXPECT_THAT(slow.posted, ElementsAre(1, 3));
    for (unsigned char number = 5; number <= 12; ++number) enter(number);
    EXPECT_THAT(slow.posted, ElementsAre(1, 3, 3)) << "no more messages than may be under way";
    for (int i = 0; i < 5; ++i) {
        slow.confirm_all();
        loop.poll();
    }
    EXPECT_THAT(slow.posted, ElementsAre(1, 3, 3, 3, 2));
    EXPECT_EQ(answers, 12);
}

TEST_F(QueuedIntakeTest, TheBacklogIsThatOfTheWholeCluster) {
    ClusterBacklog cluster(gate);
    gate.all_under_way.claims = 700;
    QueuedIntake one_of_many(queue, gate, ledger, {.cluster = &cluster, .on_failure = {}});
    EXPECT_EQ(one_of_many.backlog(), 0U) << "nobody has asked yet";
    loop.spawn(cluster.look({}), [](const auto&...) {});
    loop.run();
    EXPECT_EQ(one_of_many.backlog(), 700U);
    loop.spawn(one_of_many.submit(one_of_many.reserve().value(), ticket(1)), [](const auto&...) {});
    loop.run();
    EXPECT_EQ(one_of_many.backlog(), 701U) << "queued, and not decided";
}

TEST_F(QueuedIntakeTest, SaysBeforehandThatTooManyWait) {
    std::vector<OrderIntake::Slot> slots;
    for (std::size_t i = 0; i < OrderIntake::kLeastSlots; ++i)
        slots.push_back(intake.reserve().value());
    EXPECT_FALSE(intake.reserve());
    slots.pop_back();
    EXPECT_TRUE(intake.reserve());
}

}  // namespace
}  // namespace sluice
