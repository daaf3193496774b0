#include <set>

#include <boost/asio/co_spawn.hpp>
#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Pair;

class OrderLedgerContract : public contract::OrderContract {
  protected:
    Outcome<OrderLedger::GivenBack> cancel(OrderId id, std::int64_t buyer) {
        return run_to_end(orders.cancel(id, UserId{buyer}, ledgers->clock().now()));
    }
};

TEST_P(OrderLedgerContract, KnowsABuyersLatestTicketInTheSale) {
    EXPECT_FALSE(run_to_end(orders.latest_ticket(sale.id, UserId{7})));
    buy(7, 1);
    EXPECT_EQ(run_to_end(orders.latest_ticket(sale.id, UserId{7}))->id, make_ticket(7, 1).id);
    const auto older = make_ticket(7, 4);
    ledgers->clock().move(milliseconds{1});
    submit(make_ticket(7, 2, 9));
    const auto refused = run_to_end(orders.latest_ticket(sale.id, UserId{7}));
    EXPECT_EQ(refused->id, make_ticket(7, 2).id);
    EXPECT_EQ(refused->reason, Reason::limit_reached);
    ledgers->clock().move(milliseconds{1});
    buy(7, 3);
    buy(8, 1);
    run_to_end(orders.fence({older}));
    EXPECT_EQ(run_to_end(orders.latest_ticket(sale.id, UserId{7}))->id, make_ticket(7, 3).id)
        << "by the time of the claim, whenever it was written";
    EXPECT_FALSE(run_to_end(orders.latest_ticket(SaleId{2}, UserId{7})));
}

TEST_P(OrderLedgerContract, FindsAWishAmongManyTicketsByTicketPassOrKey) {
    for (unsigned char number = 1; number <= 9; ++number) {
        ledgers->clock().move(milliseconds{1});
        submit(make_ticket(7, number));
    }
    const auto ids = [this](const Ticket& wish) {
        std::set<TicketId> found;
        for (const auto& record : run_to_end(orders.past(wish)).same_wish) found.insert(record.id);
        return found;
    };
    for (unsigned char number = 1; number <= 9; ++number) {
        const auto former = make_ticket(7, number);
        auto same_pass = make_ticket(7, 20);
        same_pass.pass = former.pass;
        auto same_key = make_ticket(7, 20);
        same_key.key = former.key;
        auto same_ticket = make_ticket(7, 20);
        same_ticket.id = former.id;
        for (const auto& wish : {same_pass, same_key, same_ticket})
            EXPECT_EQ(ids(wish), std::set{former.id}) << int{number};
    }
    EXPECT_TRUE(ids(make_ticket(7, 20)).empty());
    EXPECT_TRUE(ids(make_ticket(8, 1)).empty()) << "another buyer's";
    EXPECT_EQ(run_to_end(orders.past(make_ticket(7, 20))).latest->id, make_ticket(7, 9).id);
    EXPECT_FALSE(run_to_end(orders.past(make_ticket(8, 1))).latest);
}

TEST_P(OrderLedgerContract, ATicketWithoutAKeyHasNone) {
    auto ticket = make_ticket(7);
    ticket.key.reset();
    submit(ticket);
    EXPECT_EQ(run_to_end(orders.ticket(ticket.id, UserId{7}))->key, std::nullopt);
}

TEST_P(OrderLedgerContract, ShowsTicketsAndOrdersOnlyToTheirBuyer) {
    const auto order = buy(7);
    EXPECT_TRUE(run_to_end(orders.ticket(order.ticket, UserId{7})));
    EXPECT_FALSE(run_to_end(orders.ticket(order.ticket, UserId{8})));
    EXPECT_TRUE(run_to_end(orders.order(order.id, UserId{7})));
    EXPECT_FALSE(run_to_end(orders.order(order.id, UserId{8})));
    EXPECT_FALSE(run_to_end(orders.order(OrderId{order.id.value + 1}, UserId{7})));
}

TEST_P(OrderLedgerContract, ListsABuyersOrdersTheNewestFirstInPages) {
    std::vector<OrderId> ids;
    for (unsigned char number = 3; number >= 1; --number) {
        ids.push_back(buy(7, number).id);
        buy(8, number);
        ledgers->clock().move(milliseconds{1});
    }
    const auto page = run_to_end(orders.orders(UserId{7}, {}, 2));
    ASSERT_EQ(page.size(), 2U);
    EXPECT_EQ(page[0].id, ids[2]);
    EXPECT_EQ(page[1].id, ids[1]);
    const auto rest = run_to_end(orders.orders(UserId{7}, page[1].id, 2));
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].id, ids[0]);
    EXPECT_EQ(rest[0].ticket, make_ticket(7, 3).id);
}

TEST_P(OrderLedgerContract, CancellingReturnsTheUnitsOnce) {
    const auto order = buy(7, 1, 2);
    const auto first = cancel(order.id, 7);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->order.state, OrderState::cancelled);
    EXPECT_EQ(first->stock.left, 10);
    ASSERT_TRUE(first->move);
    EXPECT_EQ(first->move->sale, sale.id);
    EXPECT_EQ(first->move->delta_left, 2);
    EXPECT_EQ(first->move->buyer, UserId{7});
    EXPECT_EQ(first->move->delta_units, -2);

    const auto second = cancel(order.id, 7);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->order.state, OrderState::cancelled);
    EXPECT_FALSE(second->move) << "it had happened before";
    EXPECT_EQ(second->stock.left, 10);
    expect_stock(10, 0);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 0)));
    EXPECT_EQ(run_to_end(orders.order(order.id, UserId{7}))->state, OrderState::cancelled);
}

TEST_P(OrderLedgerContract, CancelsAtOnceFromManySidesOnlyOnce) {
    const auto order = buy(7);
    int moves = 0;
    for (int i = 0; i < 20; ++i)
        boost::asio::co_spawn(loop, orders.cancel(order.id, UserId{7}, ledgers->clock().now()),
                              [&](std::exception_ptr error, Outcome<OrderLedger::GivenBack> back) {
                                  EXPECT_FALSE(error);
                                  if (back && back->move) ++moves;
                              });
    loop.run();
    EXPECT_EQ(moves, 1);
    expect_stock(10, 0);
}

TEST_P(OrderLedgerContract, ABuyerMayBuyAgainAfterCancelling) {
    cancel(buy(7, 1, 3).id, 7);
    EXPECT_EQ(buy(7, 2, 3).state, OrderState::pending);
    EXPECT_EQ(submit(make_ticket(7, 1, 3)).fate, OrderIntake::Fate::ordered)
        << "the first ticket still names its order";
    expect_stock(7, 3);
}

TEST_P(OrderLedgerContract, CancelsNobodyElsesOrder) {
    const auto order = buy(7);
    const auto back = cancel(order.id, 8);
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().reason, Reason::not_found);
    expect_stock(9, 1);
}

TEST_P(OrderLedgerContract, CancelsNothingThatIsNeitherPendingNorCancelled) {
    for (const auto state : {OrderState::paid, OrderState::expired, OrderState::refunded}) {
        const auto order = buy(static_cast<std::int64_t>(state) + 1);
        ledgers->set_order_state(order.id, state);
        const auto back = cancel(order.id, order.buyer.value);
        ASSERT_FALSE(back);
        EXPECT_EQ(back.error().reason, Reason::conflict);
    }
    expect_stock(7, 3);
}

TEST_P(OrderLedgerContract, ATicketThatCannotBeFencedKeepsNoOtherFromIt) {
    auto impossible = make_ticket(8);
    impossible.quantity = 0;
    const auto fenced = run_to_end(orders.fence({make_ticket(7), impossible, make_ticket(9)}));
    ASSERT_EQ(fenced.records.size(), 2U);
    EXPECT_EQ(fenced.records[0].id, make_ticket(7).id);
    EXPECT_EQ(fenced.records[1].id, make_ticket(9).id);
    ASSERT_EQ(fenced.stuck.size(), 1U);
    EXPECT_EQ(fenced.stuck[0], impossible.id);
    EXPECT_FALSE(run_to_end(orders.ticket(impossible.id, UserId{8})));
    EXPECT_EQ(holdings().size(), 2U) << "nothing is left of it";
}

TEST_P(OrderLedgerContract, FencesOnlyWhatTheJournalDoesNotKnow) {
    const auto order = buy(7);
    ledgers->add_prepared(make_ticket(8));
    const auto fenced =
        run_to_end(orders.fence({make_ticket(7), make_ticket(8), make_ticket(9), make_ticket(9)}));
    const auto& records = fenced.records;
    ASSERT_EQ(records.size(), 4U);
    EXPECT_TRUE(fenced.stuck.empty());
    EXPECT_EQ(records[0].state, TicketState::committed);
    EXPECT_EQ(records[0].order, order.id);
    EXPECT_EQ(records[1].state, TicketState::prepared);
    EXPECT_EQ(records[2].state, TicketState::rolled_back);
    EXPECT_EQ(records[2].reason, Reason::busy);
    EXPECT_EQ(records[3].state, TicketState::rolled_back);
    EXPECT_EQ(submit(make_ticket(9)).fate, OrderIntake::Fate::refused);
    EXPECT_EQ(submit(make_ticket(8)).fate, OrderIntake::Fate::ordered);
    expect_stock(8, 2);
}

TEST_P(OrderLedgerContract, HotCopiesHoldAllThatAGateNeeds) {
    buy(7, 1, 2);
    cancel(buy(8).id, 8);
    submit(make_ticket(9, 1, 4));
    const auto copies = run_to_end(orders.hot_copies(ledgers->clock().now()));
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies[0].sale, sale.id);
    EXPECT_EQ(copies[0].epoch, 1);
    EXPECT_EQ(copies[0].left, 8);
    EXPECT_THAT(copies[0].holdings,
                ElementsAre(Pair(UserId{7}, 2), Pair(UserId{8}, 0), Pair(UserId{9}, 0)));
}

TEST_P(OrderLedgerContract, HotCopiesLeaveOutWhatIsOver) {
    EXPECT_EQ(run_to_end(orders.hot_copies(*sale.ends_at - milliseconds{1})).size(), 1U);
    EXPECT_TRUE(run_to_end(orders.hot_copies(*sale.ends_at)).empty());
    change_sale([this](Sale& changed) { changed.ended_at = ledgers->clock().now(); });
    EXPECT_TRUE(run_to_end(orders.hot_copies(ledgers->clock().now())).empty());
}

TEST_P(OrderLedgerContract, ANewEpochIsReadInTheTransactionThatBeginsIt) {
    buy(7, 1, 2);
    const auto at = ledgers->clock().now();
    const auto copy = run_to_end(orders.begin_epoch(sale.id, 0, at));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->epoch, to_millis(at) + 1);
    EXPECT_EQ(copy->left, 8);
    EXPECT_THAT(copy->holdings, ElementsAre(Pair(UserId{7}, 2)));
    EXPECT_EQ(stored_sale().epoch, copy->epoch);
    EXPECT_EQ(stored_sale().version, sale.version) << "it is no edit";
    const auto read = run_to_end(orders.hot_copy(sale.id));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->epoch, copy->epoch);
    EXPECT_EQ(read->left, copy->left);
    EXPECT_EQ(read->holdings, copy->holdings);
}

TEST_P(OrderLedgerContract, AnEpochsNumberNeverComesTwice) {
    const auto at = ledgers->clock().now();
    const auto first = run_to_end(orders.begin_epoch(sale.id, 0, at))->epoch;
    const auto second = run_to_end(orders.begin_epoch(sale.id, 0, at))->epoch;
    EXPECT_EQ(second, first + 1) << "in the same millisecond";
    const auto back = at - std::chrono::hours{1};
    EXPECT_EQ(run_to_end(orders.begin_epoch(sale.id, 0, back))->epoch, second + 1)
        << "the clock was set back";
    EXPECT_EQ(run_to_end(orders.begin_epoch(sale.id, second + 100, at))->epoch, second + 101)
        << "the copy was ahead, as after a restore";
    EXPECT_FALSE(run_to_end(orders.begin_epoch(SaleId{9}, 0, at)));
    EXPECT_FALSE(run_to_end(orders.hot_copy(SaleId{9})));
}

TEST_P(OrderLedgerContract, EveryChangeSaysInWhichEpochItWasMade) {
    const auto early = submit(make_ticket(7));
    EXPECT_EQ(early.epoch, 1);
    const auto held = buy(8);
    const auto epoch = run_to_end(orders.begin_epoch(sale.id, 41, from_millis(0)))->epoch;
    EXPECT_EQ(epoch, 42);
    EXPECT_EQ(submit(make_ticket(9)).epoch, epoch) << "claimed in the one before";
    const auto given_back = run_to_end(orders.cancel(held.id, UserId{8}, ledgers->clock().now()));
    ASSERT_TRUE(given_back && given_back->move);
    EXPECT_EQ(given_back->move->epoch, epoch);
    const auto restocked = change(
        sale.id, [&](const Sale& before) { return restock_sale(before, 1, before.starts_at); });
    ASSERT_TRUE(restocked);
    EXPECT_EQ(restocked->after.epoch, epoch);
    const auto expired =
        run_to_end(orders.expire(ledgers->clock().now() + std::chrono::hours{2}, 10, {}));
    ASSERT_EQ(expired.moves.size(), 2U);
    for (const auto& move : expired.moves) EXPECT_EQ(move.epoch, epoch);
}

RUN_ON_EVERY_ADAPTER(OrderLedgerContract);

}  // namespace
}  // namespace sluice
