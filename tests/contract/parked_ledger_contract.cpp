#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/two_clients.hpp"

namespace sluice {
namespace {

using Fate = OrderIntake::Fate;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class ParkedLedgerContract : public contract::OrderContract {
  protected:
    ParkedLedger& parked = ledgers->all().parked();
    TicketLedger& tickets = ledgers->tickets();

    ParkedTicket make_parked(const Ticket& ticket, int after = 0, std::string reason = "bad") {
        return {.ticket = ticket,
                .reason = std::move(reason),
                .parked_at = now + milliseconds{after},
                .tries = 1};
    }
    void park(const Ticket& ticket, int after = 0, std::string reason = "bad") {
        run_to_end(parked.park({make_parked(ticket, after, std::move(reason))}));
    }
    std::vector<TicketId> list(std::optional<TicketId> after = {}, std::size_t most = 100) {
        std::vector<TicketId> ids;
        for (const auto& each : run_to_end(parked.list(after, most))) ids.push_back(each.ticket.id);
        return ids;
    }
    std::int64_t count() { return run_to_end(parked.count()); }
    std::size_t deeds() { return run_to_end(ledgers->all().trail().list({}, 100)).size(); }
};

TEST_P(ParkedLedgerContract, KeepsATicketWhole) {
    auto ticket = make_ticket(1, 1, 2);
    ticket.epoch = 7;
    park(ticket, 5, "its rows do not fit: 坏");
    const auto found = run_to_end(parked.find(ticket.id));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ticket.id, ticket.id);
    EXPECT_EQ(found->ticket.buyer, UserId{1});
    EXPECT_EQ(found->ticket.quantity, 2);
    EXPECT_EQ(found->ticket.epoch, 7);
    EXPECT_EQ(found->ticket.pass, ticket.pass);
    EXPECT_EQ(found->ticket.key, ticket.key);
    EXPECT_EQ(found->ticket.claimed_at, ticket.claimed_at);
    EXPECT_EQ(found->reason, "its rows do not fit: 坏");
    EXPECT_EQ(found->parked_at, now + milliseconds{5});
    EXPECT_EQ(found->tries, 1);
    EXPECT_FALSE(run_to_end(parked.find(make_ticket(2).id)));
    EXPECT_FALSE(run_to_end(parked.find_former(ticket.id)));
}

TEST_P(ParkedLedgerContract, ATicketThatNoTableTakesIsParked) {
    auto impossible = make_ticket(1);
    impossible.quantity = -1;
    impossible.key.reset();
    park(impossible, 0, "\xff not UTF-8" + std::string(2'000, 'x'));
    const auto found = run_to_end(parked.find(impossible.id));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ticket.quantity, -1);
    EXPECT_EQ(found->ticket.key, std::nullopt);
    EXPECT_EQ(found->reason, "? not UTF-8" + std::string(989, 'x'));
}

TEST_P(ParkedLedgerContract, AReasonIsCutBetweenCharacters) {
    std::string reason(999, 'x');
    park(make_ticket(1), 0, reason + "坏");
    EXPECT_EQ(run_to_end(parked.find(make_ticket(1).id))->reason, reason);
}

TEST_P(ParkedLedgerContract, ParkedAgainItHasOneMoreTryAndTheNewReason) {
    park(make_ticket(1), 0, "first");
    park(make_ticket(1), 500, "second");
    const auto found = run_to_end(parked.find(make_ticket(1).id));
    EXPECT_EQ(found->tries, 2);
    EXPECT_EQ(found->reason, "second");
    EXPECT_EQ(found->parked_at, now) << "it has been parked since then";
    EXPECT_EQ(count(), 1);
}

TEST_P(ParkedLedgerContract, ListsTheLongestParkedFirst) {
    park(make_ticket(1), 20);
    park(make_ticket(2), 10);
    park(make_ticket(3), 30);
    const auto first = make_ticket(2).id, second = make_ticket(1).id, third = make_ticket(3).id;
    EXPECT_THAT(list(), ElementsAre(first, second, third));
    EXPECT_THAT(list({}, 2), ElementsAre(first, second));
    EXPECT_THAT(list(second, 2), ElementsAre(third));
    EXPECT_THAT(list(third), IsEmpty());
    run_to_end(parked.unpark(second, {}));
    EXPECT_THAT(list(second), ElementsAre(third)) << "decided while somebody was reading";
    EXPECT_THAT(list(make_ticket(9).id), ElementsAre(first, third)) << "from the beginning";
}

TEST_P(ParkedLedgerContract, PagesGoThroughThoseOfOneMoment) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) park(make_ticket(buyer));
    std::vector<TicketId> seen;
    for (std::optional<TicketId> after; const auto id : {0, 1, 2, 3, 4}) {
        const auto page = list(after, 1);
        ASSERT_THAT(page, SizeIs(1)) << id;
        after = page.front();
        seen.push_back(page.front());
    }
    EXPECT_EQ(seen, list());
}

TEST_P(ParkedLedgerContract, WhatIsTakenOffIsNotParkedAnyMore) {
    park(make_ticket(1));
    park(make_ticket(2));
    run_to_end(parked.unpark(make_ticket(1).id, make_deed(50)));
    EXPECT_FALSE(run_to_end(parked.find(make_ticket(1).id)));
    EXPECT_THAT(list(), ElementsAre(make_ticket(2).id));
    EXPECT_EQ(count(), 1);
    const auto former = run_to_end(parked.find_former(make_ticket(1).id));
    ASSERT_TRUE(former);
    EXPECT_EQ(former->buyer, UserId{1});
    EXPECT_FALSE(run_to_end(parked.find_former(make_ticket(2).id)));
}

TEST_P(ParkedLedgerContract, TheDeedIsWrittenOnce) {
    park(make_ticket(1));
    const auto before = deeds();
    run_to_end(parked.unpark(make_ticket(1).id, make_deed(50)));
    run_to_end(parked.unpark(make_ticket(1).id, make_deed(51)));
    run_to_end(parked.unpark(make_ticket(2).id, make_deed(52)));
    EXPECT_EQ(deeds(), before + 1);
}

TEST_P(ParkedLedgerContract, ADecidedTicketIsNotParked) {
    buy(1);
    run_to_end(orders.fence({make_ticket(2)}));
    prepare(make_ticket(3));
    run_to_end(parked.park(
        {make_parked(make_ticket(1)), make_parked(make_ticket(2)), make_parked(make_ticket(3))}));
    EXPECT_THAT(list(), ElementsAre(make_ticket(3).id)) << "nobody else has an outcome to wait for";
}

TEST_P(ParkedLedgerContract, APreparedTicketThatIsParkedIsNobodysWork) {
    prepare(make_ticket(1));
    prepare(make_ticket(2));
    park(make_ticket(1));
    const auto waiting = run_to_end(tickets.prepared(100));
    ASSERT_THAT(waiting, SizeIs(1));
    EXPECT_EQ(waiting.front().id, make_ticket(2).id);
    EXPECT_THAT(run_to_end(tickets.prepared(1)), SizeIs(1)) << "it does not take another's place";
    EXPECT_EQ(run_to_end(tickets.count_prepared()), 2);
}

TEST_P(ParkedLedgerContract, RefusingRollsBackAndTakesOff) {
    prepare(make_ticket(1));
    park(make_ticket(1));
    park(make_ticket(2));
    const auto before = deeds();
    for (const std::int64_t buyer : {1, 2}) {
        const auto refused = run_to_end(tickets.refuse(make_ticket(buyer), make_deed(50 + buyer)));
        ASSERT_TRUE(refused);
        EXPECT_EQ(refused->fate, Fate::refused);
        EXPECT_EQ(refused->own.reason, Reason::conflict);
        EXPECT_TRUE(refused->fresh);
        const auto record = run_to_end(orders.ticket(make_ticket(buyer).id, UserId{buyer}));
        EXPECT_EQ(record->state, TicketState::rolled_back);
        EXPECT_EQ(record->reason, Reason::conflict);
        EXPECT_TRUE(run_to_end(parked.find_former(make_ticket(buyer).id)));
    }
    EXPECT_EQ(deeds(), before + 2);
    EXPECT_EQ(count(), 0);
    EXPECT_EQ(run_to_end(tickets.count_prepared()), 0);
    expect_stock(10, 0);
    const auto again = run_to_end(tickets.write({make_ticket(1)}));
    EXPECT_EQ(again.front()->fate, Fate::refused) << "a message that comes late changes nothing";
    expect_stock(10, 0);
}

TEST_P(ParkedLedgerContract, AnOutcomeStandsAgainstARefusal) {
    park(make_ticket(1));
    const auto order = buy(1);
    const auto before = deeds();
    const auto refused = run_to_end(tickets.refuse(make_ticket(1), make_deed(50)));
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->fate, Fate::ordered);
    EXPECT_EQ(refused->record.order, order.id);
    EXPECT_FALSE(refused->fresh);
    EXPECT_EQ(count(), 0);
    EXPECT_EQ(deeds(), before) << "nobody has refused it";
}

TEST_P(ParkedLedgerContract, WhatCannotBeRefusedStaysParked) {
    auto impossible = make_ticket(1);
    impossible.quantity = -1;
    park(impossible);
    const auto before = deeds();
    EXPECT_FALSE(run_to_end(tickets.refuse(impossible, make_deed(50))));
    EXPECT_EQ(count(), 1);
    EXPECT_EQ(deeds(), before);
}

RUN_ON_EVERY_ADAPTER(ParkedLedgerContract);

class TwoClientsParkedContract : public contract::TwoClientsContract {
  protected:
    ParkedLedger& parked = ledgers->all().parked();
    ParkedLedger& others = other.ledgers.parked();
    TicketLedger& tickets = ledgers->tickets();

    ParkedTicket make_parked(const Ticket& ticket) {
        return {.ticket = ticket, .reason = "bad", .parked_at = now, .tries = 1};
    }
};

TEST_P(TwoClientsParkedContract, BothParkItOnce) {
    const std::vector batch{make_parked(make_ticket(1)), make_parked(make_ticket(2))};
    at_once(parked.park(batch), others.park({batch[1], batch[0]}));
    EXPECT_EQ(run_to_end(others.count()), 2);
    EXPECT_EQ(run_to_end(others.find(make_ticket(1).id))->tries, 2);
}

TEST_P(TwoClientsParkedContract, ItIsTakenOffOnce) {
    run_to_end(parked.park({make_parked(make_ticket(1))}));
    const auto deeds = deeds_written();
    at_once(parked.unpark(make_ticket(1).id, make_deed(7'001)),
            others.unpark(make_ticket(1).id, make_deed(7'002)));
    EXPECT_EQ(deeds_written(), deeds + 1);
}

TEST_P(TwoClientsParkedContract, ItIsWrittenOrRefusedNeverBoth) {
    for (std::int64_t buyer = 1; buyer <= 8; ++buyer) {
        const auto ticket = make_ticket(buyer);
        run_to_end(parked.park({make_parked(ticket)}));
        const auto [refused, written] = at_once(tickets.refuse(ticket, make_deed(7'000 + buyer)),
                                                other.tickets.write({ticket}));
        ASSERT_TRUE(refused);
        EXPECT_EQ(refused->fate, written.front()->fate);
        EXPECT_NE(refused->fresh, written.front()->fresh);
    }
    expect_books_in_order();
}

RUN_ON_EVERY_ADAPTER(TwoClientsParkedContract);

}  // namespace
}  // namespace sluice
