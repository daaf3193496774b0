#include <set>

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"
#include "support/hand_in.hpp"

namespace sluice {
namespace {

using Fate = OrderIntake::Fate;
using Taken = OrderIntake::Taken;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Pair;

class OrderIntakeContract : public contract::OrderContract {
  protected:
    std::vector<Taken> told;

    void start(const Ticket& ticket) {
        loop.spawn(testing_support::hand_in(intake, ticket),
                   [this](std::exception_ptr error, Taken taken) {
                       EXPECT_FALSE(error);
                       told.push_back(std::move(taken));
                   });
    }
    std::size_t count(Fate fate) const {
        return static_cast<std::size_t>(std::ranges::count(told, fate, &Taken::fate));
    }
    void expect_refused(const Taken& taken, Reason reason) {
        EXPECT_EQ(taken.fate, Fate::refused);
        EXPECT_EQ(taken.record.state, TicketState::rolled_back);
        EXPECT_EQ(taken.record.reason, reason);
        EXPECT_FALSE(taken.record.order);
    }
};

TEST_P(OrderIntakeContract, AYesIsAnOrderOnRecord) {
    ledgers->clock().move(milliseconds{5});
    auto ticket = make_ticket(7, 1, 2);
    ledgers->clock().move(milliseconds{10});
    const auto taken = submit(ticket);
    EXPECT_EQ(taken.fate, Fate::ordered);
    EXPECT_TRUE(taken.fresh);
    EXPECT_EQ(taken.record.id, ticket.id);
    EXPECT_EQ(taken.record.state, TicketState::committed);
    EXPECT_EQ(taken.record.quantity, 2);
    EXPECT_EQ(taken.record.pass, ticket.pass);
    EXPECT_EQ(taken.record.key, ticket.key);
    EXPECT_EQ(taken.record.claimed_at, ticket.claimed_at);

    const auto order = run_to_end(orders.order(taken.record.order.value(), UserId{7}));
    ASSERT_TRUE(order);
    EXPECT_EQ(order->ticket, ticket.id);
    EXPECT_EQ(order->sale_id, sale.id);
    EXPECT_EQ(order->item_id, sale.item_id);
    EXPECT_EQ(order->buyer, UserId{7});
    EXPECT_EQ(order->quantity, 2);
    EXPECT_EQ(order->price_cents, sale.price_cents);
    EXPECT_EQ(order->currency, sale.currency);
    EXPECT_EQ(order->state, OrderState::pending);
    EXPECT_EQ(order->created_at, ledgers->clock().now()) << "the wait is not the buyer's";
    EXPECT_EQ(order->expires_at, order->created_at + std::chrono::seconds{sale.hold_seconds});
    EXPECT_EQ(order->paid_at, std::nullopt);
    expect_stock(8, 2);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 2)));
    EXPECT_EQ(intake.backlog(), 0U);
}

TEST_P(OrderIntakeContract, ARepeatedTicketGetsItsFirstOutcome) {
    const auto first = submit(make_ticket(7));
    auto ticket = make_ticket(7);
    ticket.quantity = 3;
    const auto again = submit(ticket);
    EXPECT_EQ(again.fate, Fate::ordered);
    EXPECT_FALSE(again.fresh);
    EXPECT_EQ(again.record.order, first.record.order);
    EXPECT_EQ(again.record.quantity, 1);
    expect_stock(9, 1);
}

TEST_P(OrderIntakeContract, FiftyTimesTheSameTicketAtOnceIsOneOrder) {
    for (int i = 0; i < 50; ++i) start(make_ticket(7));
    loop.run();
    ASSERT_EQ(told.size(), 50U);
    std::set<OrderId> order_ids;
    for (const auto& taken : told) order_ids.insert(taken.record.order.value());
    EXPECT_EQ(order_ids.size(), 1U);
    EXPECT_EQ(std::ranges::count(told, true, &Taken::fresh), 1);
    EXPECT_EQ(run_to_end(orders.orders(UserId{7}, {}, 10)).size(), 1U);
    expect_stock(9, 1);
}

TEST_P(OrderIntakeContract, SellsWhatThereIsToACrowdAndNoMore) {
    for (std::int64_t buyer = 1; buyer <= 200; ++buyer) start(make_ticket(buyer));
    loop.run();
    EXPECT_EQ(count(Fate::ordered), 10U);
    EXPECT_EQ(count(Fate::refused), 190U);
    for (const auto& taken : told)
        if (taken.fate == Fate::refused) expect_refused(taken, Reason::sold_out);
    expect_stock(0, 10);
    EXPECT_EQ(holdings().size(), 200U) << "who was refused has history too";
}

TEST_P(OrderIntakeContract, RefusesMoreThanIsLeftAndGoesOnWithLess) {
    for (std::int64_t buyer = 1; buyer <= 3; ++buyer) buy(buyer, 1, 3);
    expect_refused(submit(make_ticket(4, 1, 2)), Reason::sold_out);
    EXPECT_EQ(submit(make_ticket(5)).fate, Fate::ordered);
    expect_stock(0, 10);
}

TEST_P(OrderIntakeContract, RefusesABuyerOverTheLimitWhateverTheGatePromised) {
    buy(7, 1, 2);
    expect_refused(submit(make_ticket(7, 2, 2)), Reason::limit_reached);
    expect_refused(submit(make_ticket(8, 1, 4)), Reason::limit_reached);
    EXPECT_EQ(submit(make_ticket(7, 3, 1)).fate, Fate::ordered);
    expect_stock(7, 3);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 3), Pair(UserId{8}, 0)));
}

TEST_P(OrderIntakeContract, APassOrAKeyBuysOnceUnderWhateverTickets) {
    const auto first = submit(make_ticket(7, 1, 2));
    auto same_pass = make_ticket(7, 2);
    same_pass.pass = make_ticket(7, 1).pass;
    auto same_key = make_ticket(7, 3);
    same_key.key = make_ticket(7, 1).key;
    for (const auto& ticket : {same_pass, same_key}) {
        const auto taken = submit(ticket);
        EXPECT_EQ(taken.fate, Fate::ordered);
        EXPECT_FALSE(taken.fresh);
        EXPECT_EQ(taken.record.id, first.record.id);
        EXPECT_EQ(taken.record.order, first.record.order);
        EXPECT_EQ(taken.own.state, TicketState::rolled_back) << "its claim is one too many";
        EXPECT_EQ(taken.own.same_as, first.record.id);
        const auto shown = run_to_end(orders.ticket(ticket.id, UserId{7}));
        ASSERT_TRUE(shown);
        EXPECT_EQ(shown->id, ticket.id);
        EXPECT_EQ(shown->order, first.record.order) << "it answers with that outcome";
        EXPECT_EQ(submit(ticket).own.same_as, first.record.id) << "that is final";
    }
    expect_stock(8, 2);
}

TEST_P(OrderIntakeContract, AKeyThatCameWithAPassThatHadBoughtBuysNoMore) {
    auto by_pass = make_ticket(7, 1);
    by_pass.key.reset();
    const auto first = submit(by_pass);
    auto with_key = make_ticket(7, 2);
    with_key.pass = by_pass.pass;
    EXPECT_EQ(submit(with_key).own.same_as, first.record.id);
    // The same key, another pass, and another ticket, as after a new epoch.
    auto later = make_ticket(7, 3);
    later.key = with_key.key;
    EXPECT_EQ(find_same_wish(run_to_end(orders.past(later)).same_wish, later)->id, first.record.id);
    const auto taken = submit(later);
    EXPECT_EQ(taken.record.order, first.record.order);
    EXPECT_EQ(taken.own.same_as, first.record.id)
        << "the ticket that has decided, not the one between";
    const auto shown = run_to_end(orders.ticket(later.id, UserId{7}));
    EXPECT_EQ(shown.value().order, first.record.order);
    expect_stock(9, 1);
}

TEST_P(OrderIntakeContract, ARefusalDecidesAWishToo) {
    change_sale([](Sale& changed) { changed.ended_at = changed.starts_at; });
    const auto first = submit(make_ticket(7, 1));
    expect_refused(first, Reason::ended);
    auto same_pass = make_ticket(7, 2);
    same_pass.pass = make_ticket(7, 1).pass;
    const auto second = submit(same_pass);
    expect_refused(second, Reason::ended);
    EXPECT_EQ(second.own.same_as, first.record.id);
}

TEST_P(OrderIntakeContract, APreparedTicketHasDecidedNothing) {
    prepare(make_ticket(7, 1));
    auto same_pass = make_ticket(7, 2);
    same_pass.pass = make_ticket(7, 1).pass;
    const auto second = submit(same_pass);
    EXPECT_EQ(second.fate, Fate::ordered);
    EXPECT_EQ(second.record.id, same_pass.id);
    const auto first = submit(make_ticket(7, 1));
    EXPECT_EQ(first.record.id, same_pass.id);
    EXPECT_EQ(first.own.same_as, same_pass.id);
    expect_stock(9, 1);
}

TEST_P(OrderIntakeContract, APreparedTicketIsOfThePassThatItWasNotedWith) {
    const auto noted = make_ticket(7, 1);
    prepare(noted);
    auto same_pass = make_ticket(7, 2);
    same_pass.pass = noted.pass;
    EXPECT_EQ(submit(same_pass).fate, Fate::ordered);
    auto by_other_pass = noted;
    by_other_pass.pass = make_ticket(7, 3).pass;
    const auto second = submit(by_other_pass);
    EXPECT_EQ(second.own.same_as, same_pass.id) << "its row has the pass that has bought";
    expect_stock(9, 1);
}

TEST_P(OrderIntakeContract, AFencedDoubleDoesNotHideThePurchase) {
    const auto first = submit(make_ticket(7, 1));
    ledgers->clock().move(milliseconds{1});
    auto fenced = make_ticket(7, 2);
    fenced.pass = make_ticket(7, 1).pass;
    run_to_end(orders.fence({fenced}));
    auto again = make_ticket(7, 3);
    again.pass = fenced.pass;
    EXPECT_EQ(submit(again).record.id, first.record.id);
}

TEST_P(OrderIntakeContract, HoldsTheLimitAmongTicketsOfOneMoment) {
    for (unsigned char number = 1; number <= 9; ++number) start(make_ticket(7, number));
    loop.run();
    EXPECT_EQ(count(Fate::ordered), 3U);
    EXPECT_EQ(run_to_end(orders.orders(UserId{7}, {}, 10)).size(), 3U);
    for (unsigned char number = 1; number <= 9; ++number)
        EXPECT_TRUE(run_to_end(orders.ticket(make_ticket(7, number).id, UserId{7})));
    expect_stock(7, 3);
}

TEST_P(OrderIntakeContract, ARaisedLimitCounts) {
    buy(7, 1, 3);
    expect_refused(submit(make_ticket(7, 2)), Reason::limit_reached);
    change_sale([](Sale& changed) { changed.limit_per_buyer = 4; });
    EXPECT_EQ(submit(make_ticket(7, 3)).fate, Fate::ordered);
    expect_refused(submit(make_ticket(7, 2)), Reason::limit_reached);  // a refusal stays a refusal
}

TEST_P(OrderIntakeContract, JudgesTheWindowAtTheClaim) {
    auto ticket = make_ticket(1);
    ticket.claimed_at = sale.starts_at - milliseconds{1};
    expect_refused(submit(ticket), Reason::not_started);
    ticket = make_ticket(2);
    ticket.claimed_at = sale.starts_at;
    EXPECT_EQ(submit(ticket).fate, Fate::ordered);

    ledgers->clock().move(std::chrono::hours{2});
    ticket = make_ticket(3);
    ticket.claimed_at = *sale.ends_at - milliseconds{1};
    EXPECT_EQ(submit(ticket).fate, Fate::ordered) << "claimed in time, written after the end";
    ticket = make_ticket(4);
    ticket.claimed_at = *sale.ends_at;
    expect_refused(submit(ticket), Reason::ended);
}

TEST_P(OrderIntakeContract, RefusesWhatIsPausedOrEndedOnRecord) {
    change_sale([](Sale& changed) { changed.paused = true; });
    expect_refused(submit(make_ticket(1)), Reason::paused);
    change_sale([](Sale& changed) { changed.paused = false; });
    EXPECT_EQ(submit(make_ticket(2)).fate, Fate::ordered);
    change_sale([this](Sale& changed) { changed.ended_at = ledgers->clock().now(); });
    expect_refused(submit(make_ticket(3)), Reason::ended);
    EXPECT_EQ(submit(make_ticket(2)).fate, Fate::ordered) << "a replay is no purchase";
}

TEST_P(OrderIntakeContract, WhatWasCaughtByAPauseOrCameTooEarlyBuysWithItsNextTry) {
    const auto next_try = [this](std::int64_t buyer, bool same_key) {
        auto ticket = make_ticket(buyer, 2);
        const auto former = make_ticket(buyer, 1);
        if (same_key) ticket.key = former.key;
        if (!same_key) ticket.pass = former.pass;
        return ticket;
    };
    change_sale([](Sale& changed) { changed.paused = true; });
    expect_refused(submit(make_ticket(1)), Reason::paused);
    expect_refused(submit(make_ticket(2)), Reason::paused);
    change_sale([](Sale& changed) { changed.paused = false; });
    auto early = make_ticket(3);
    early.claimed_at = sale.starts_at - milliseconds{1};
    expect_refused(submit(early), Reason::not_started);

    expect_refused(submit(make_ticket(1)), Reason::paused);  // that ticket is used up
    EXPECT_EQ(submit(next_try(1, false)).fate, Fate::ordered);
    EXPECT_EQ(submit(next_try(2, true)).fate, Fate::ordered);
    EXPECT_EQ(submit(next_try(3, true)).fate, Fate::ordered);
    expect_stock(7, 3);
    auto again = make_ticket(1, 3);
    again.pass = make_ticket(1, 1).pass;
    EXPECT_EQ(submit(again).record.id, make_ticket(1, 2).id) << "and the pass has bought now";
    expect_stock(7, 3);
}

TEST_P(OrderIntakeContract, RefusesWhatWasClaimedBeforeTheLastResume) {
    auto in_the_pause = make_ticket(1);
    const auto resumed_at = in_the_pause.claimed_at + milliseconds{1};
    change_sale([](Sale& changed) { changed.paused = true; });
    change_sale([resumed_at](Sale& changed) {
        changed.paused = false;
        changed.resumed_at = resumed_at;
    });
    expect_refused(submit(in_the_pause), Reason::paused);
    auto after_it = make_ticket(2);
    after_it.claimed_at = resumed_at;
    EXPECT_EQ(submit(after_it).fate, Fate::ordered);
}

TEST_P(OrderIntakeContract, RefusesASaleThatIsNotThere) {
    auto ticket = make_ticket(1);
    ticket.id.sale = SaleId{99};
    expect_refused(submit(ticket), Reason::not_found);
}

TEST_P(OrderIntakeContract, GivesAPreparedTicketItsOutcome) {
    prepare(make_ticket(7, 1, 2));
    auto ticket = make_ticket(7, 1, 1);
    const auto taken = submit(ticket);
    EXPECT_EQ(taken.fate, Fate::ordered);
    EXPECT_TRUE(taken.fresh);
    EXPECT_EQ(taken.record.quantity, 2) << "as it is on record";
    const auto order = run_to_end(orders.order(taken.record.order.value(), UserId{7}));
    EXPECT_EQ(order->quantity, 2);
    expect_stock(8, 2);

    prepare(make_ticket(7, 2, 2));
    expect_refused(submit(make_ticket(7, 2, 2)), Reason::limit_reached);
    EXPECT_EQ(run_to_end(orders.ticket(make_ticket(7, 2).id, UserId{7}))->reason,
              Reason::limit_reached);
}

TEST_P(OrderIntakeContract, AFencedTicketStaysRolledBack) {
    run_to_end(orders.fence({make_ticket(7)}));
    const auto taken = submit(make_ticket(7));
    expect_refused(taken, Reason::busy);
    EXPECT_FALSE(taken.fresh);
    expect_stock(10, 0);
}

TEST_P(OrderIntakeContract, TakesAtLeast1024AndTurnsTheRestAway) {
    ledgers->stall();
    for (std::int64_t buyer = 1; buyer <= 1'030; ++buyer) {
        auto ticket = make_ticket(buyer);
        ticket.id.mark[2] = static_cast<unsigned char>(buyer >> 8);
        start(ticket);
    }
    while (told.size() < 6) loop.run_one();
    EXPECT_EQ(count(Fate::not_taken), 6U);
    EXPECT_EQ(intake.backlog(), 1'024U);
    ledgers->go_on();
    loop.run();
    EXPECT_EQ(count(Fate::ordered), 10U);
    EXPECT_EQ(count(Fate::refused), 1'014U);
    EXPECT_EQ(count(Fate::not_taken), 6U);
    EXPECT_EQ(intake.backlog(), 0U);
    EXPECT_FALSE(run_to_end(orders.ticket(told[0].record.id, UserId{1'025})))
        << "not taken is nothing at all";
    EXPECT_EQ(submit(make_ticket(2'000)).fate, Fate::refused) << "there is room again";
}

TEST_P(OrderIntakeContract, KeepsTheSalesApart) {
    auto other = make_sale(2, ItemId{1});
    other.starts_at = sale.starts_at;
    other.stock = {.total = 1, .left = 1, .held = 0, .sold = 0};
    ASSERT_TRUE(run_to_end(ledgers->all().catalog().add_sale(other, make_deed(101), std::nullopt)));
    for (std::int64_t buyer = 1; buyer <= 4; ++buyer) {
        start(make_ticket(buyer));
        auto ticket = make_ticket(buyer);
        ticket.id.sale = other.id;
        start(ticket);
    }
    loop.run();
    EXPECT_EQ(count(Fate::ordered), 5U);
    expect_stock(6, 4);
    EXPECT_EQ(run_to_end(ledgers->all().catalog().load()).sales[1].stock.left, 0);
}

RUN_ON_EVERY_ADAPTER(OrderIntakeContract);

}  // namespace
}  // namespace sluice
