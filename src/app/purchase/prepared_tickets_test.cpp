#include "app/purchase/prepared_tickets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_tickets.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Ticket ticket(std::size_t number) {
    Ticket made;
    made.id = {SaleId{1},
               Mark{static_cast<unsigned char>(number >> 8), static_cast<unsigned char>(number)}};
    return made;
}

class PreparedTicketsTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::ScriptedTickets ledger;
    PreparedTickets source{ledger, clock};

    void prepare(std::size_t count) {
        std::vector<Ticket> tickets;
        for (std::size_t number = 1; number <= count; ++number) tickets.push_back(ticket(number));
        run_to_end(ledger.prepare(std::move(tickets)));
    }
    std::vector<TicketSource::Delivery> take(std::size_t most = 100) {
        return run_to_end(source.take(most));
    }
    static std::vector<TicketId> ids(const std::vector<TicketSource::Delivery>& deliveries) {
        std::vector<TicketId> list;
        for (const auto& delivery : deliveries) {
            EXPECT_EQ(delivery.tickets.size(), 1U);
            list.push_back(delivery.tickets.front().id);
        }
        return list;
    }
    void acknowledge(const std::vector<TicketSource::Delivery>& deliveries) {
        std::vector<std::uint64_t> tags;
        for (const auto& delivery : deliveries) tags.push_back(delivery.tag);
        run_to_end(source.acknowledge(std::move(tags)));
    }
    void park(std::size_t number) { EXPECT_TRUE(run_to_end(source.park(ticket(number), "bad"))); }
};

TEST_F(PreparedTicketsTest, DeliversEachRowOnceUntilItIsAcknowledged) {
    EXPECT_THAT(take(), IsEmpty());
    prepare(3);
    const auto first = take(2);
    EXPECT_THAT(ids(first), ElementsAre(ticket(1).id, ticket(2).id));
    EXPECT_NE(first[0].tag, first[1].tag);
    EXPECT_THAT(ids(take(2)), ElementsAre(ticket(3).id)) << "beside those that are taken";
    EXPECT_THAT(take(), IsEmpty());
    acknowledge(first);
    EXPECT_THAT(ids(take()), ElementsAre(ticket(1).id, ticket(2).id))
        << "nobody has decided them: at least once";
}

TEST_F(PreparedTicketsTest, WhatIsDecidedIsNotDelivered) {
    prepare(2);
    const auto taken = take(1);
    run_to_end(ledger.write(taken.front().tickets));
    acknowledge(taken);
    EXPECT_THAT(ids(take()), ElementsAre(ticket(2).id));
}

TEST_F(PreparedTicketsTest, WhatASourceHadTakenIsDeliveredByTheNextOne) {
    prepare(2);
    take();
    PreparedTickets next{ledger, clock};
    EXPECT_THAT(run_to_end(next.take(100)), SizeIs(2));
}

TEST_F(PreparedTicketsTest, AParkedTicketIsInNobodysWayAndIsTriedAgainAMinuteLater) {
    prepare(3);
    const auto taken = take(2);
    park(1);
    park(2);
    acknowledge(taken);
    EXPECT_THAT(ids(take(1)), ElementsAre(ticket(3).id)) << "it looks behind them";
    clock.move(PreparedTickets::kTryAgain - 1ms);
    EXPECT_THAT(take(), IsEmpty());
    clock.move(1ms);
    EXPECT_THAT(ids(take()), ElementsAre(ticket(1).id, ticket(2).id));
}

TEST_F(PreparedTicketsTest, AClockThatIsSetBackDoesNotMakeParkedTicketsWait) {
    prepare(1);
    const auto taken = take();
    park(1);
    acknowledge(taken);
    clock.move(-1h);
    EXPECT_THAT(take(), SizeIs(1));
}

TEST_F(PreparedTicketsTest, RemembersOnlySoManyParkedTickets) {
    prepare(PreparedTickets::kMostParked + 1);
    const auto taken = take(PreparedTickets::kMostParked);
    for (std::size_t number = 1; number < PreparedTickets::kMostParked; ++number) park(number);
    acknowledge(taken);
    EXPECT_THAT(take(1), SizeIs(1)) << "one below the bound";
    park(PreparedTickets::kMostParked);
    EXPECT_THAT(take(), IsEmpty());
    clock.move(PreparedTickets::kTryAgain);
    EXPECT_THAT(take(2), SizeIs(2)) << "they are tried again";
}

}  // namespace
}  // namespace sluice
