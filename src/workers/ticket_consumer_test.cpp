#include "workers/ticket_consumer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/purchase/prepared_tickets.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
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
    testing_support::ScriptedParking parking;
    testing_support::ManualClock clock;
    HotOutbox outbox{gate, orders, log};
    ClaimSettler settler{gate, outbox, [](SaleId) {}};
    std::vector<TicketId> failed;
    TicketConsumer consumer = make_consumer(queue, TicketConsumer::Parking{parking, clock});

    void post(std::initializer_list<int> numbers) {
        std::vector<Ticket> tickets;
        for (const int number : numbers) tickets.push_back(ticket(number));
        run_to_end(queue.post(std::move(tickets)));
    }
    void consume() { run_to_end(consumer.consume()); }
    TicketConsumer make_consumer(TicketSource& source,
                                 std::optional<TicketConsumer::Parking> table = std::nullopt) {
        return TicketConsumer(
            source, ledger, settler,
            [this](const Ticket& each, std::string_view) { failed.push_back(each.id); }, table);
    }
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

TEST_F(TicketConsumerTest, WithoutTheLedgerItGivesBackWhatItHasAndTakesNoMore) {
    post({1});
    ledger.away = true;
    EXPECT_THROW(consume(), Outage);
    EXPECT_EQ(queue.given_back, 1);
    EXPECT_THROW(consume(), Outage);
    EXPECT_THAT(queue.taken, ElementsAre()) << "not before the ledger answers";
    EXPECT_EQ(queue.given_back, 1);
    EXPECT_THAT(queue.acknowledged, ElementsAre());
    post({2});
    ledger.away = false;
    consume();
    EXPECT_THAT(queue.acknowledged, ElementsAre(1, 2));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(2).id));
}

TEST_F(TicketConsumerTest, FromALedgerThatCanOnlyBeReadItTakesNothingAgain) {
    post({1});
    ledger.read_only = true;
    EXPECT_THROW(consume(), Outage);
    EXPECT_THROW(consume(), Outage);
    EXPECT_EQ(queue.given_back, 1) << "a delivery that comes again and again is dropped by some";
    ledger.read_only = false;
    consume();
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
}

TEST_F(TicketConsumerTest, AnotherWriterHasWhatOneWithoutALedgerGaveBack) {
    testing_support::ScriptedTickets of_other;
    TicketConsumer other(queue, of_other, settler, [](const Ticket&, std::string_view) {});
    post({1});
    ledger.away = true;
    EXPECT_THROW(consume(), Outage);
    run_to_end(other.consume());
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
    ledger.away = false;
    consume();
    EXPECT_TRUE(ledger.writes.empty()) << "what it gave back, it has forgotten";
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

TEST_F(TicketConsumerTest, ACommitThatStaysUnknownIsGivenBack) {
    post({1});
    ledger.unknown_commits = 3;
    EXPECT_THROW(consume(), UnknownOutcome);
    EXPECT_EQ(queue.given_back, 1);
    consume();
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
    EXPECT_EQ(ledger.journal.size(), 1U);
}

TEST_F(TicketConsumerTest, ABadTicketIsParkedAloneInTheTable) {
    ledger.bad = {ticket(2).id};
    post({1, 2, 3});
    consume();
    const auto& parked = parking.tickets.at(ticket(2).id);
    EXPECT_EQ(parked.ticket.buyer, ticket(2).buyer);
    EXPECT_EQ(parked.reason, "bad");
    EXPECT_EQ(parked.parked_at, clock.now());
    EXPECT_THAT(queue.parked, ElementsAre()) << "one place is enough";
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(3).id));
    EXPECT_THAT(failed, ElementsAre(ticket(2).id));
}

TEST_F(TicketConsumerTest, WithoutTheTableABadTicketIsParkedInTheQueue) {
    ledger.bad = {ticket(2).id};
    parking.away = true;
    post({1, 2, 3});
    consume();
    EXPECT_THAT(queue.parked, ElementsAre(Pair(ticket(2).id, "bad")));
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(3).id));
}

TEST_F(TicketConsumerTest, WhatCannotBeParkedIsGivenBackAndDeliveredAgain) {
    ledger.bad = {ticket(2).id};
    parking.away = true;
    queue.can_park = false;
    post({1, 2});
    post({3});
    EXPECT_THROW(consume(), Outage);
    EXPECT_THAT(queue.acknowledged, ElementsAre(2));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id, ticket(3).id));
    EXPECT_EQ(queue.given_back, 1);

    gate.is_away = true;
    post({4});
    EXPECT_THROW(consume(), Outage);
    EXPECT_EQ(queue.given_back, 2) << "also when nobody can settle";
    gate.is_away = false;

    parking.away = false;
    consume();
    EXPECT_THAT(queue.acknowledged, ElementsAre(2, 3, 1));
    EXPECT_TRUE(parking.tickets.contains(ticket(2).id));
}

/// The same path as for a broker, with the prepared rows of the journal as the source.
class PreparedConsumerTest : public TicketConsumerTest {
  protected:
    PreparedTickets source{ledger, clock};
    TicketConsumer writer = make_consumer(source);

    void prepare(int count) {
        std::vector<Ticket> tickets;
        for (int number = 1; number <= count; ++number) tickets.push_back(ticket(number));
        run_to_end(ledger.prepare(std::move(tickets)));
    }
    void write_prepared() { run_to_end(writer.consume()); }
};

TEST_F(PreparedConsumerTest, WritesWhatIsPrepared) {
    prepare(600);
    write_prepared();
    EXPECT_THAT(ledger.writes, ElementsAre(512, 88));
    EXPECT_EQ(gate.settled.size(), 600U);
}

TEST_F(PreparedConsumerTest, WithoutTheLedgerItWritesLaterWhatItHasTaken) {
    prepare(1);
    ledger.away = true;
    EXPECT_THROW(write_prepared(), Outage);
    ledger.away = false;
    write_prepared();
    EXPECT_THAT(ledger.writes, ElementsAre(1));
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id));
}

TEST_F(PreparedConsumerTest, TicketsThatCannotBeWrittenAreInNobodysWay) {
    prepare(513);
    for (int number = 1; number <= 513; ++number) ledger.bad.insert(ticket(number).id);
    const auto last = *ledger.bad.rbegin();
    ledger.bad.erase(last);
    write_prepared();
    EXPECT_THAT(ledger.writes, ElementsAre(512, 1)) << "it goes on behind a batch of them";
    EXPECT_EQ(failed.size(), 512U);
    EXPECT_THAT(gate.settled, ElementsAre(last));
}

TEST_F(PreparedConsumerTest, AParkedTicketIsNotTakenAgain) {
    ledger.parking = &parking.tickets;
    auto parks = make_consumer(source, TicketConsumer::Parking{parking, clock});
    prepare(2);
    ledger.bad = {ticket(1).id};
    run_to_end(parks.consume());
    for (int i = 0; i < 3; ++i) {
        clock.move(2 * PreparedTickets::kTryAgain);
        run_to_end(parks.consume());
    }
    EXPECT_EQ(failed.size(), 1U) << "it waits for an operator";
    EXPECT_EQ(parking.tickets.at(ticket(1).id).tries, 1);
    EXPECT_THAT(gate.settled, ElementsAre(ticket(2).id));
}

TEST_F(PreparedConsumerTest, WithoutTheTableAParkedTicketIsTriedAgain) {
    ledger.parking = &parking.tickets;
    parking.away = true;
    auto parks = make_consumer(source, TicketConsumer::Parking{parking, clock});
    prepare(1);
    ledger.bad = {ticket(1).id};
    run_to_end(parks.consume());
    parking.away = false;
    clock.move(PreparedTickets::kTryAgain);
    run_to_end(parks.consume());
    EXPECT_TRUE(parking.tickets.contains(ticket(1).id)) << "and parked then";
}

TEST_F(PreparedConsumerTest, AMendedTicketIsWrittenAMinuteLater) {
    prepare(1);
    ledger.bad = {ticket(1).id};
    write_prepared();
    write_prepared();
    EXPECT_EQ(failed.size(), 1U) << "reported once a minute, not at each round";
    ledger.bad.clear();
    clock.move(PreparedTickets::kTryAgain);
    write_prepared();
    EXPECT_THAT(gate.settled, ElementsAre(ticket(1).id));
}

}  // namespace
}  // namespace sluice
