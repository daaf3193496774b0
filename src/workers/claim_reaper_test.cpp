#include "workers/claim_reaper.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Ticket ticket(unsigned char number) {
    Ticket made;
    made.id = {SaleId{1}, Mark{number}};
    return made;
}

TicketRecord record(unsigned char number, TicketState state) {
    TicketRecord made;
    made.id = ticket(number).id;
    made.state = state;
    return made;
}

class ClaimReaperTest : public testing::Test {
  protected:
    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders ledger;
    testing_support::ManualClock clock;
    std::ostringstream logged;
    Log log{Log::Level::error, Log::Format::text, [this](std::string_view line) { logged << line; },
            [] { return Timestamp{}; }};
    std::vector<SaleId> missed;
    HotOutbox outbox{gate, ledger, log};
    ClaimSettler settler{gate, outbox, [this](SaleId sale) { missed.push_back(sale); }};
    ClaimReaper reaper{gate, ledger, settler, clock, log};
};

TEST_F(ClaimReaperTest, CondemnsWhatIsOlderThanItsPatience) {
    run_to_end(reaper.reap_once());
    EXPECT_EQ(gate.condemned_before, clock.now() - ClaimReaper::kPatience);
    EXPECT_THAT(gate.calls, ElementsAre("condemn", "handed_off"))
        << "with nothing to do the ledger is left alone";
}

TEST_F(ClaimReaperTest, GoesByWhatTheJournalSays) {
    gate.condemned = {ticket(1), ticket(2), ticket(3), ticket(4)};
    ledger.journal = {record(1, TicketState::committed), record(2, TicketState::rolled_back),
                      record(3, TicketState::prepared)};
    run_to_end(reaper.reap_once());
    ASSERT_EQ(ledger.fenced.size(), 1U) << "the others need no write";
    EXPECT_EQ(ledger.fenced[0].id, ticket(4).id);
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id));
    EXPECT_THAT(gate.released, ElementsAre(ticket(2).id, ticket(4).id))
        << "what is prepared is the writer's";
}

TEST_F(ClaimReaperTest, AskAndFenceInBites) {
    for (int i = 0; i < 600; ++i) {
        auto each = ticket(1);
        each.id.mark[1] = static_cast<unsigned char>(i % 250);
        each.id.mark[2] = static_cast<unsigned char>(i / 250);
        (i % 2 == 0 ? gate.condemned : gate.marked).push_back(each);
    }
    run_to_end(reaper.reap_once());
    EXPECT_THAT(ledger.asked_for, ElementsAre(256, 44, 256, 44));
    EXPECT_EQ(ledger.fenced.size(), 300U);
    EXPECT_EQ(gate.released.size(), 300U) << "what was handed off waits for its writer";
}

TEST_F(ClaimReaperTest, WhatWasHandedOffIsConcludedByItsRowAndNeverFenced) {
    gate.marked = {ticket(1), ticket(2), ticket(3), ticket(4)};
    ledger.journal = {record(1, TicketState::committed), record(2, TicketState::rolled_back),
                      record(3, TicketState::prepared)};
    run_to_end(reaper.reap_once());
    EXPECT_THAT(ledger.fenced, IsEmpty());
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id));
    EXPECT_THAT(gate.released, ElementsAre(ticket(2).id));
}

TEST_F(ClaimReaperTest, ACopyThatDoesNotKnowOfAnOrderIsReported) {
    gate.condemned = {ticket(1)};
    gate.misses = true;
    ledger.journal = {record(1, TicketState::committed)};
    run_to_end(reaper.reap_once());
    EXPECT_THAT(missed, ElementsAre(SaleId{1}));
}

TEST_F(ClaimReaperTest, ATicketThatIsStuckKeepsNoOtherWaiting) {
    gate.condemned = {ticket(1), ticket(2), ticket(3)};
    ledger.journal = {record(2, TicketState::committed), record(3, TicketState::rolled_back)};
    ledger.stuck_tickets = {ticket(1).id};
    run_to_end(reaper.reap_once());
    run_to_end(reaper.reap_once());
    const auto told = logged.str();
    EXPECT_THAT(gate.settled, ElementsAre(ticket(2).id, ticket(2).id));
    EXPECT_THAT(gate.released, ElementsAre(ticket(3).id, ticket(3).id));
    EXPECT_NE(told.find(ticket(1).id.text()), std::string::npos) << told;
    EXPECT_EQ(told.find("ticket.stuck"), told.rfind("ticket.stuck")) << "once, not each second";
}

TEST_F(ClaimReaperTest, ReturnsNothingWhileTheJournalCannotBeAsked) {
    gate.condemned = {ticket(1)};
    ledger.away = true;
    EXPECT_THROW(run_to_end(reaper.reap_once()), Outage);
    EXPECT_THAT(gate.settled, IsEmpty());
    EXPECT_THAT(gate.released, IsEmpty());
    ledger.away = false;
    ledger.journal = {record(1, TicketState::rolled_back)};
    run_to_end(reaper.reap_once());
    EXPECT_THAT(gate.released, ElementsAre(ticket(1).id));
}

}  // namespace
}  // namespace sluice
