#include "workers/parked_collector.hpp"

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
using testing::IsEmpty;
using testing::SizeIs;

Ticket ticket(std::size_t number) {
    Ticket made;
    made.id = {SaleId{1},
               Mark{static_cast<unsigned char>(number >> 8), static_cast<unsigned char>(number)}};
    made.buyer = UserId{static_cast<std::int64_t>(number)};
    return made;
}

class ParkedCollectorTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::ScriptedQueue queue;
    testing_support::ScriptedOrders orders;
    testing_support::ScriptedParking parking;
    ParkedCollector collector{&queue, parking, orders, clock};

    void post(std::initializer_list<std::size_t> numbers) {
        std::vector<Ticket> tickets;
        for (const auto number : numbers) tickets.push_back(ticket(number));
        run_to_end(queue.post(std::move(tickets)));
    }
    void park(std::size_t number) {
        run_to_end(parking.park(
            {{.ticket = ticket(number), .reason = "bad", .parked_at = clock.now(), .tries = 1}}));
    }
    void decide(std::size_t number, TicketState state) {
        TicketRecord record;
        record.id = ticket(number).id;
        record.state = state;
        orders.journal.push_back(record);
    }
    void collect() { run_to_end(collector.collect()); }
};

TEST_F(ParkedCollectorTest, MovesWhatTheBrokerHasParkedIntoTheTable) {
    queue.reason = "no table was there";
    post({1});
    post({2});
    collect();
    ASSERT_THAT(parking.tickets, SizeIs(2));
    const auto& parked = parking.tickets.at(ticket(2).id);
    EXPECT_EQ(parked.ticket.buyer, UserId{2});
    EXPECT_EQ(parked.reason, "no table was there");
    EXPECT_EQ(parked.parked_at, clock.now());
    EXPECT_THAT(queue.acknowledged, ElementsAre(1, 2));
}

TEST_F(ParkedCollectorTest, WithoutTheTableTheBrokerKeepsThem) {
    post({1});
    parking.away = true;
    EXPECT_THROW(collect(), Outage);
    EXPECT_EQ(queue.given_back, 1);
    EXPECT_THAT(queue.acknowledged, IsEmpty());
    parking.away = false;
    collect();
    EXPECT_THAT(parking.tickets, SizeIs(1));
    EXPECT_THAT(queue.acknowledged, ElementsAre(1));
}

TEST_F(ParkedCollectorTest, TakesOffWhatIsDecided) {
    for (const std::size_t number : {1, 2, 3, 4}) park(number);
    decide(1, TicketState::committed);
    decide(2, TicketState::rolled_back);
    decide(3, TicketState::prepared);
    collect();
    EXPECT_FALSE(parking.tickets.contains(ticket(1).id));
    EXPECT_FALSE(parking.tickets.contains(ticket(2).id));
    EXPECT_TRUE(parking.tickets.contains(ticket(3).id)) << "prepared is no outcome";
    EXPECT_TRUE(parking.tickets.contains(ticket(4).id));
    EXPECT_THAT(parking.deeds, IsEmpty()) << "no operator did it";
}

TEST_F(ParkedCollectorTest, ALongTableIsLookedAtInParts) {
    constexpr auto kAll = ParkedCollector::kBatch + 1;
    for (std::size_t number = 1; number <= kAll; ++number) park(number);
    decide(kAll, TicketState::committed);
    collect();
    EXPECT_THAT(parking.tickets, SizeIs(kAll));
    collect();
    EXPECT_THAT(parking.tickets, SizeIs(kAll - 1));
    decide(1, TicketState::committed);
    collect();
    EXPECT_THAT(parking.tickets, SizeIs(kAll - 2)) << "then from the beginning";
}

TEST_F(ParkedCollectorTest, WithoutABrokerItLooksAtTheTable) {
    ParkedCollector alone(nullptr, parking, orders, clock);
    park(1);
    decide(1, TicketState::committed);
    run_to_end(alone.collect());
    EXPECT_THAT(parking.tickets, IsEmpty());
}

}  // namespace
}  // namespace sluice
