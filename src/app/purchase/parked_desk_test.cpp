#include "app/purchase/parked_desk.hpp"

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
using testing::HasSubstr;
using testing::IsEmpty;
using No = ParkedDesk::No;

class ParkedDeskTest : public testing::Test {
  protected:
    ParkedDeskTest() {
        ticket.id = {SaleId{1}, Mark{7}};
        ticket.buyer = UserId{8};
        run_to_end(parking.park(
            {{.ticket = ticket, .reason = "bad rows", .parked_at = clock.now(), .tries = 1}}));
    }

    Log log{Log::Level::error, Log::Format::text};
    testing_support::ManualClock clock;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders orders;
    testing_support::ScriptedTickets ledger;
    testing_support::ScriptedParking parking;
    HotOutbox outbox{gate, orders, log};
    ClaimSettler settler{gate, outbox, [](SaleId) {}};
    IdSource ids{1};
    ParkedDesk desk{parking, ledger, orders, settler, clock, ids};
    Ticket ticket;
    const Actor actor{.id = UserId{1}, .address = "127.0.0.1", .request_id = "r"};

    ParkedDesk::Decided retry() { return run_to_end(desk.retry(ticket.id, actor)); }
    ParkedDesk::Decided refuse() { return run_to_end(desk.refuse(ticket.id, actor)); }
    /// What the journal answers next.
    void answer_by(TicketState state) {
        TicketRecord record;
        record.id = ticket.id;
        record.state = state;
        orders.looked_up.emplace_back(record);
    }
};

TEST_F(ParkedDeskTest, ARetryThatIsWrittenIsAnOrderAndADeed) {
    const auto decided = retry();
    ASSERT_TRUE(decided);
    EXPECT_EQ(decided->state, TicketState::committed);
    EXPECT_THAT(gate.settled, ElementsAre(ticket.id));
    EXPECT_THAT(parking.tickets, IsEmpty());
    ASSERT_EQ(parking.deeds.size(), 1U);
    const auto& deed = parking.deeds.front();
    EXPECT_EQ(deed.action, "parked_ticket.retry");
    EXPECT_EQ(deed.subject, ticket.id.text());
    EXPECT_EQ(deed.actor, UserId{1});
    EXPECT_THAT(deed.before, HasSubstr("bad rows"));
    EXPECT_EQ(deed.after, R"({"state":"ordered"})");
}

TEST_F(ParkedDeskTest, ARetryMayBeRefusedByTheRules) {
    ledger.sold_out = {ticket.id};
    const auto decided = retry();
    ASSERT_TRUE(decided);
    EXPECT_EQ(decided->reason, Reason::sold_out);
    EXPECT_THAT(gate.released, ElementsAre(ticket.id));
    EXPECT_THAT(parking.tickets, IsEmpty());
    EXPECT_EQ(parking.deeds.front().after, R"({"state":"refused"})");
}

TEST_F(ParkedDeskTest, ARetryThatCannotBeWrittenStaysParked) {
    ledger.bad = {ticket.id};
    for (const std::int64_t tries : {2, 3}) {
        EXPECT_EQ(retry().error(), No::not_written);
        EXPECT_EQ(parking.tickets.at(ticket.id).tries, tries);
    }
    EXPECT_EQ(parking.tickets.at(ticket.id).reason, "bad");
    EXPECT_THAT(parking.deeds, IsEmpty()) << "nothing was done";
    EXPECT_TRUE(gate.settled.empty() && gate.released.empty());
}

TEST_F(ParkedDeskTest, WhatTheJournalHasDecidedNeedsNobody) {
    ledger.bad = {ticket.id};
    answer_by(TicketState::committed);
    const auto decided = retry();
    ASSERT_TRUE(decided) << "only the rows around it do not fit";
    EXPECT_EQ(decided->state, TicketState::committed);
    EXPECT_THAT(parking.tickets, IsEmpty());
    EXPECT_THAT(parking.deeds, IsEmpty());
}

TEST_F(ParkedDeskTest, ARefusalReturnsTheUnits) {
    const auto decided = refuse();
    ASSERT_TRUE(decided);
    EXPECT_EQ(decided->state, TicketState::rolled_back);
    EXPECT_EQ(decided->reason, Reason::conflict);
    EXPECT_THAT(gate.released, ElementsAre(ticket.id));
    ASSERT_EQ(ledger.deeds.size(), 1U);
    EXPECT_EQ(ledger.deeds.front().action, "parked_ticket.refuse");
    EXPECT_EQ(ledger.deeds.front().after, R"({"state":"refused"})");
}

TEST_F(ParkedDeskTest, AnOrderIsNotRefused) {
    auto record = prepare(ticket);
    commit(record, OrderId{5});
    ledger.journal.emplace(ticket.id, record);
    EXPECT_EQ(refuse().error(), No::is_ordered);
    EXPECT_THAT(gate.settled, ElementsAre(ticket.id)) << "its claim is over all the same";
    EXPECT_TRUE(gate.released.empty());
}

TEST_F(ParkedDeskTest, ARefusalThatCannotBeWrittenStaysParked) {
    ledger.bad_to_refuse = {ticket.id};
    EXPECT_EQ(refuse().error(), No::not_written);
    EXPECT_EQ(parking.tickets.at(ticket.id).tries, 2);
    EXPECT_TRUE(gate.released.empty());
}

TEST_F(ParkedDeskTest, TheSecondTimeTheAnswerIsWhatStands) {
    ASSERT_TRUE(retry());
    for (int i = 0; i < 2; ++i) answer_by(TicketState::committed);
    const auto again = retry();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->state, TicketState::committed);
    EXPECT_EQ(refuse().error(), No::is_ordered);
    EXPECT_EQ(ledger.writes.size(), 1U);
    EXPECT_EQ(parking.deeds.size(), 1U);
}

TEST_F(ParkedDeskTest, NobodyKnowsATicketThatWasNeverParked) {
    ticket.id = {SaleId{1}, Mark{9}};
    EXPECT_EQ(retry().error(), No::never_parked);
    EXPECT_EQ(refuse().error(), No::never_parked);
    EXPECT_THAT(ledger.writes, IsEmpty());
}

TEST_F(ParkedDeskTest, WithoutTheLedgerNothingIsDone) {
    ledger.away = true;
    EXPECT_THROW(retry(), Outage);
    EXPECT_THROW(refuse(), Outage);
    EXPECT_EQ(parking.tickets.at(ticket.id).tries, 1);
}

TEST_F(ParkedDeskTest, ADecisionStandsWhileTheHotCopyIsAway) {
    gate.is_away = true;
    ASSERT_TRUE(retry());
    EXPECT_THAT(parking.tickets, IsEmpty()) << "the reaper ends the claim later";
}

}  // namespace
}  // namespace sluice
