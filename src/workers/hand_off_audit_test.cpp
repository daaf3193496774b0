#include "workers/hand_off_audit.hpp"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"
#include "support/scripted_tickets.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

Ticket ticket(unsigned char number, SaleId sale = SaleId{1}) {
    Ticket made;
    made.id = {sale, Mark{number}};
    made.buyer = UserId{number};
    return made;
}
auto with_id(unsigned char number) {
    return Field(&Ticket::id, ticket(number).id);
}

class HandOffAuditTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders orders;
    testing_support::ScriptedParking parking;
    std::deque<std::int64_t> messages{0};  // as the broker says, one after another; the last stays
    bool broker_away = false;
    int pauses = 0;
    std::function<void()> meanwhile = [] {};
    HandOffAudit audit{gate,
                       orders,
                       parking,
                       [this] {
                           if (broker_away) throw Outage("the broker is away");
                           const auto count = messages.front();
                           if (messages.size() > 1) messages.pop_front();
                           return count;
                       },
                       [this]() -> Task<> {
                           ++pauses;
                           meanwhile();
                           co_return;
                       },
                       clock};

    HandOffs look(std::optional<SaleId> sale = {}) { return run_to_end(audit.look(sale)); }
    void note(unsigned char number, TicketState state) {
        TicketRecord record;
        record.id = ticket(number).id;
        record.state = state;
        orders.journal.push_back(record);
    }
    void park(unsigned char number) {
        run_to_end(parking.park(
            {{.ticket = ticket(number), .reason = "bad", .parked_at = clock.now(), .tries = 1}}));
    }
};

TEST_F(HandOffAuditTest, EachTicketIsSomewhere) {
    for (const unsigned char number : {1, 2, 3, 4, 5, 6}) gate.marked.push_back(ticket(number));
    note(1, TicketState::committed);
    note(2, TicketState::rolled_back);
    note(3, TicketState::prepared);
    note(4, TicketState::prepared);
    park(4);
    park(5);
    messages = {7};
    const auto found = look();
    EXPECT_EQ(found.decided, 2);
    EXPECT_EQ(found.prepared, 1);
    EXPECT_EQ(found.parked, 2) << "parked counts before prepared";
    EXPECT_EQ(found.queued, 1);
    EXPECT_EQ(found.messages, 7);
    EXPECT_EQ(found.all(), 6);
    EXPECT_THAT(found.lost, IsEmpty());
    EXPECT_EQ(pauses, 0) << "there is a message that may have it";
}

TEST_F(HandOffAuditTest, ATicketThatIsNowhereIsLost) {
    gate.marked = {ticket(1), ticket(2)};
    note(1, TicketState::prepared);
    const auto found = look();
    EXPECT_THAT(found.lost, ElementsAre(with_id(2)));
    EXPECT_EQ(found.all(), 2);
    EXPECT_EQ(pauses, 1);
}

TEST_F(HandOffAuditTest, AWriterMayHaveTakenItFromTheQueue) {
    gate.marked = {ticket(1)};
    meanwhile = [this] { note(1, TicketState::committed); };
    const auto found = look();
    EXPECT_THAT(found.lost, IsEmpty());
    EXPECT_EQ(found.decided, 1);
}

TEST_F(HandOffAuditTest, AWriterMayHaveGivenItBack) {
    gate.marked = {ticket(1)};
    messages = {0, 1};
    const auto found = look();
    EXPECT_THAT(found.lost, IsEmpty());
    EXPECT_EQ(found.queued, 1);
}

TEST_F(HandOffAuditTest, WhatIsHandedOffMeanwhileIsNotLost) {
    gate.marked = {ticket(1)};
    meanwhile = [this] { gate.marked.push_back(ticket(2)); };
    const auto found = look();
    EXPECT_THAT(found.lost, ElementsAre(with_id(1)));
    EXPECT_EQ(found.queued, 1);
}

TEST_F(HandOffAuditTest, OneWhoseClaimHasEndedMeanwhileIsNotLost) {
    gate.marked = {ticket(1)};
    meanwhile = [this] { gate.marked.clear(); };
    EXPECT_EQ(look().all(), 0);
}

TEST_F(HandOffAuditTest, WithoutTheBrokersWordNothingIsCalledLost) {
    gate.marked = {ticket(1)};
    broker_away = true;
    const auto found = look();
    EXPECT_THAT(found.lost, IsEmpty());
    EXPECT_EQ(found.queued, 1);
    EXPECT_EQ(found.failure, "the broker is away");
}

TEST_F(HandOffAuditTest, WithoutABrokerNothingWaitsInOne) {
    HandOffAudit alone(gate, orders, parking, {}, []() -> Task<> { co_return; }, clock);
    gate.marked = {ticket(1)};
    EXPECT_THAT(run_to_end(alone.look({})).lost, ElementsAre(with_id(1)));
}

TEST_F(HandOffAuditTest, LooksAtOneSaleWhenAsked) {
    gate.marked = {ticket(1), ticket(2, SaleId{2})};
    EXPECT_EQ(look(SaleId{2}).all(), 1);
    EXPECT_THAT(look(SaleId{1}).lost, ElementsAre(with_id(1)));
}

}  // namespace
}  // namespace sluice
