#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using Fate = OrderIntake::Fate;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Pair;

class TicketLedgerContract : public contract::OrderContract {
  protected:
    TicketLedger& tickets = ledgers->tickets();

    std::vector<Fate> write(const std::vector<Ticket>& batch) {
        return fates(run_to_end(tickets.write(batch)));
    }
    std::vector<Fate> note(const std::vector<Ticket>& batch) {
        return fates(run_to_end(tickets.prepare(batch)));
    }
    std::vector<TicketId> waiting(std::size_t most = 100) {
        std::vector<TicketId> ids;
        for (const auto& ticket : run_to_end(tickets.prepared(most))) ids.push_back(ticket.id);
        return ids;
    }

  private:
    static std::vector<Fate> fates(const std::vector<TicketLedger::Written>& written) {
        std::vector<Fate> fates;
        for (const auto& each : written) fates.push_back(each.value().fate);
        return fates;
    }
};

TEST_P(TicketLedgerContract, ABatchIsDecidedInItsOrder) {
    EXPECT_THAT(
        write({make_ticket(1, 1, 3), make_ticket(2, 1, 3), make_ticket(3, 1, 3),
               make_ticket(4, 1, 3), make_ticket(5, 1, 1)}),
        ElementsAre(Fate::ordered, Fate::ordered, Fate::ordered, Fate::refused, Fate::ordered));
    expect_stock(0, 10);
    EXPECT_EQ(run_to_end(orders.ticket(make_ticket(4).id, UserId{4}))->reason, Reason::sold_out);
}

TEST_P(TicketLedgerContract, ABatchThatComesAgainChangesNothing) {
    const std::vector batch{make_ticket(1), make_ticket(2), make_ticket(1)};
    const auto first = run_to_end(tickets.write(batch));
    const auto second = run_to_end(tickets.write(batch));
    for (std::size_t i = 0; i < batch.size(); ++i) {
        EXPECT_EQ(second[i]->fate, Fate::ordered);
        EXPECT_EQ(second[i]->record.order, first[i]->record.order);
        EXPECT_FALSE(second[i]->fresh);
    }
    EXPECT_EQ(first[0]->record.order, first[2]->record.order) << "one ticket, one order";
    expect_stock(8, 2);
}

TEST_P(TicketLedgerContract, APreparedTicketHoldsNothing) {
    EXPECT_THAT(note({make_ticket(1), make_ticket(2)}), ElementsAre(Fate::queued, Fate::queued));
    expect_stock(10, 0);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{1}, 0), Pair(UserId{2}, 0)));
    EXPECT_EQ(run_to_end(orders.ticket(make_ticket(1).id, UserId{1}))->state,
              TicketState::prepared);
}

TEST_P(TicketLedgerContract, WhatIsOnRecordIsNotPreparedAgain) {
    const auto order = buy(1);
    run_to_end(orders.fence({make_ticket(2)}));
    const auto noted =
        run_to_end(tickets.prepare({make_ticket(1), make_ticket(2), make_ticket(3)}));
    EXPECT_EQ(noted[0]->fate, Fate::ordered);
    EXPECT_EQ(noted[0]->record.order, order.id);
    EXPECT_FALSE(noted[0]->fresh);
    EXPECT_EQ(noted[1]->fate, Fate::refused) << "a fence stays a fence";
    EXPECT_EQ(noted[1]->own.state, TicketState::rolled_back);
    EXPECT_EQ(noted[2]->fate, Fate::queued);
    EXPECT_TRUE(noted[2]->fresh);
    EXPECT_THAT(waiting(), ElementsAre(make_ticket(3).id));
}

TEST_P(TicketLedgerContract, OfAnotherTicketOfTheWishItTellsThatOnesOutcome) {
    const auto order = buy(1);
    auto again = make_ticket(1, 2);
    again.key = make_ticket(1, 1).key;
    write({again});
    const auto noted = run_to_end(tickets.prepare({again}));
    EXPECT_EQ(noted[0]->own.state, TicketState::rolled_back);
    EXPECT_EQ(noted[0]->fate, Fate::ordered);
    EXPECT_EQ(noted[0]->record.order, order.id);
}

TEST_P(TicketLedgerContract, ListsWhatIsPreparedTheOldestFirstAndWhole) {
    auto late = make_ticket(1, 1, 2);
    late.claimed_at += milliseconds{5};
    late.epoch = 7;
    late.key.reset();
    note({late});
    note({make_ticket(2)});
    EXPECT_THAT(waiting(), ElementsAre(make_ticket(2).id, late.id));
    EXPECT_THAT(waiting(1), ElementsAre(make_ticket(2).id));
    const auto listed = run_to_end(tickets.prepared(2)).back();
    EXPECT_EQ(listed.buyer, late.buyer);
    EXPECT_EQ(listed.quantity, 2);
    EXPECT_EQ(listed.epoch, 7);
    EXPECT_EQ(listed.pass, late.pass);
    EXPECT_EQ(listed.key, std::nullopt);
    EXPECT_EQ(listed.claimed_at, late.claimed_at);
}

TEST_P(TicketLedgerContract, WhatIsWrittenIsNotPreparedAnyMore) {
    note({make_ticket(1), make_ticket(2)});
    EXPECT_THAT(write(run_to_end(tickets.prepared(100))),
                ElementsAre(Fate::ordered, Fate::ordered));
    EXPECT_THAT(waiting(), ElementsAre());
    expect_stock(8, 2);
}

TEST_P(TicketLedgerContract, AFenceKeepsAPreparedTicket) {
    note({make_ticket(1)});
    const auto fenced = run_to_end(orders.fence({make_ticket(1)}));
    EXPECT_EQ(fenced.records.front().state, TicketState::prepared) << "it is the writer's";
    EXPECT_THAT(write({make_ticket(1)}), ElementsAre(Fate::ordered));
}

TEST_P(TicketLedgerContract, ATicketThatCannotBeWrittenFailsAlone) {
    auto impossible = make_ticket(2);
    impossible.quantity = -1;
    const std::vector batch{make_ticket(1), impossible, make_ticket(3)};
    for (const auto& written :
         {run_to_end(tickets.prepare(batch)), run_to_end(tickets.write(batch))}) {
        ASSERT_EQ(written.size(), 3U);
        EXPECT_TRUE(written[0]);
        EXPECT_FALSE(written[1]);
        EXPECT_TRUE(written[2]);
    }
    expect_stock(8, 2);
}

TEST_P(TicketLedgerContract, AClaimOfAnotherEpochIsToldByTheOutbox) {
    auto stale = make_ticket(1, 1, 2);
    stale.epoch = 99;
    const auto written = run_to_end(tickets.write({stale, make_ticket(2)}));
    EXPECT_TRUE(written[0]->needs_outbox_row);
    EXPECT_FALSE(written[1]->needs_outbox_row);
    ASSERT_EQ(outbox().size(), 1U);
    EXPECT_EQ(outbox().front().delta_left, -2);
    EXPECT_EQ(outbox().front().delta_units, 2);
}

RUN_ON_EVERY_ADAPTER(TicketLedgerContract);

}  // namespace
}  // namespace sluice
