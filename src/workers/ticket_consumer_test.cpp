#include "workers/ticket_consumer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"
#include "support/scripted_tickets.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::Pair;

Ticket ticket(int number) {
    Ticket made;
    made.id = {SaleId{1},
               Mark{static_cast<unsigned char>(number), static_cast<unsigned char>(number >> 8)}};
    made.buyer = UserId{number};
    made.epoch = 4;
    return made;
}

class TicketConsumerTest : public testing::Test {
  protected:
    Log log{Log::Level::error, Log::Format::text};
    testing_support::ScriptedQueue queue;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders orders;
    testing_support::ScriptedTickets ledger;
    HotOutbox outbox{gate, orders, log};
    ClaimSettler settler{gate, outbox, [](SaleId) {}};
    std::vector<TicketId> failed;
    TicketConsumer consumer{ledger, settler, [this](const Ticket& each, std::string_view) {
                                failed.push_back(each.id);
                            }};

    void post(std::initializer_list<int> numbers) {
        std::vector<Ticket> tickets;
        for (const int number : numbers) tickets.push_back(ticket(number));
        run_to_end(queue.post(std::move(tickets)));
    }
    void consume() { run_to_end(consumer.consume(queue)); }
};

TEST_F(TicketConsumerTest, WritesThenAcknowledgesThenSettlesAndReleases) {
    ledger.sold_out = {ticket(2).id};
    post({1, 2});
    post({3});
    consume();
    EXPECT_THAT(ledger.writes, ElementsAre(3)) << "one transaction for what has arrived";
    EXPECT_TRUE(queue.messages.empty());
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(3).id));
    EXPECT_THAT(gate.released, ElementsAre(ticket(2).id));
    EXPECT_THAT(gate.epochs, testing::Each(4));
}

TEST_F(TicketConsumerTest, WhatIsDeliveredAgainIsSettledAgainAndChangesNothing) {
    post({1});
    consume();
    const auto order = ledger.journal.at(ticket(1).id).order;
    post({1});
    consume();
    EXPECT_EQ(ledger.journal.at(ticket(1).id).order, order);
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(1).id));
}

TEST_F(TicketConsumerTest, WithoutTheLedgerItKeepsWhatItHasAndTakesNoMore) {
    post({1});
    ledger.away = true;
    EXPECT_THROW(consume(), Outage);
    post({2});
    EXPECT_THROW(consume(), Outage);
    EXPECT_THAT(queue.taken, ElementsAre(1));
    EXPECT_THAT(queue.acknowledged, ElementsAre());
    ledger.away = false;
    consume();
    EXPECT_THAT(queue.acknowledged, ElementsAre(1, 2));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(2).id));
}

TEST_F(TicketConsumerTest, ACommitThatNobodyKnowsOfIsLookedUp) {
    post({1});
    ledger.unknown_commits = 2;
    consume();
    EXPECT_EQ(ledger.writes.size(), 3U);
    EXPECT_EQ(ledger.journal.size(), 1U);
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id));
}

TEST_F(TicketConsumerTest, ABadTicketIsParkedAlone) {
    ledger.bad = {ticket(2).id};
    post({1, 2, 3});
    consume();
    EXPECT_THAT(queue.parked, ElementsAre(Pair(ticket(2).id, "bad")));
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(3).id));
    EXPECT_THAT(failed, ElementsAre(ticket(2).id));
}

TEST_F(TicketConsumerTest, WhatCannotBeParkedStaysWithTheBroker) {
    ledger.bad = {ticket(2).id};
    queue.can_park = false;
    post({1, 2});
    post({3});
    consume();
    EXPECT_THAT(queue.acknowledged, ElementsAre(2));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(3).id));
}

TEST_F(TicketConsumerTest, WritesWhatIsPrepared) {
    std::vector<Ticket> many;
    for (int number = 1; number <= 600; ++number) many.push_back(ticket(number));
    run_to_end(ledger.prepare(many));
    run_to_end(consumer.write_prepared());
    EXPECT_THAT(ledger.writes, ElementsAre(512, 88));
    EXPECT_EQ(gate.settled.size(), 600U);
}

TEST_F(TicketConsumerTest, StopsAtPreparedTicketsThatCannotBeWritten) {
    std::vector<Ticket> many;
    for (int number = 1; number <= 512; ++number) many.push_back(ticket(number));
    run_to_end(ledger.prepare(many));
    for (const auto& each : many) ledger.bad.insert(each.id);
    run_to_end(consumer.write_prepared());
    EXPECT_EQ(ledger.writes.size(), 1U);
    EXPECT_EQ(failed.size(), 512U);
}

}  // namespace
}  // namespace sluice
