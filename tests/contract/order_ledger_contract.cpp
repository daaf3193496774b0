#include <set>

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
    EXPECT_TRUE(first->fresh);
    const HotChange back{.seq = 1, .delta_left = 2, .buyer = UserId{7}, .delta_units = -2};
    EXPECT_THAT(outbox(), ElementsAre(back));

    const auto second = cancel(order.id, 7);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->order.state, OrderState::cancelled);
    EXPECT_FALSE(second->fresh) << "it had happened before";
    EXPECT_THAT(outbox(), ElementsAre(back));
    expect_stock(10, 0);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 0)));
    EXPECT_EQ(run_to_end(orders.order(order.id, UserId{7}))->state, OrderState::cancelled);
}

TEST_P(OrderLedgerContract, CancelsAtOnceFromManySidesOnlyOnce) {
    const auto order = buy(7);
    int moves = 0;
    for (int i = 0; i < 20; ++i)
        loop.spawn(orders.cancel(order.id, UserId{7}, ledgers->clock().now()),
                   [&](std::exception_ptr error, Outcome<OrderLedger::GivenBack> back) {
                       EXPECT_FALSE(error);
                       if (back && back->fresh) ++moves;
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
    prepare(make_ticket(8));
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
    EXPECT_EQ(copies[0].filling.sale, sale.id);
    EXPECT_EQ(copies[0].filling.epoch, 1);
    EXPECT_EQ(copies[0].left, 8);
    EXPECT_EQ(copies[0].seq, 1) << "the cancelled one";
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
    EXPECT_GT(copy->filling.epoch, to_millis(at));
    EXPECT_EQ(copy->left, 8);
    EXPECT_THAT(copy->holdings, ElementsAre(Pair(UserId{7}, 2)));
    EXPECT_EQ(stored_sale().epoch, copy->filling.epoch);
    EXPECT_EQ(stored_sale().version, sale.version) << "it is no edit";
    const auto read = run_to_end(orders.hot_copy(sale.id));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->filling.epoch, copy->filling.epoch);
    EXPECT_EQ(read->left, copy->left);
    EXPECT_EQ(read->holdings, copy->holdings);
}

TEST_P(OrderLedgerContract, AnEpochsNumberNeverComesTwice) {
    const auto at = ledgers->clock().now();
    const auto first = run_to_end(orders.begin_epoch(sale.id, 0, at))->filling.epoch;
    const auto second = run_to_end(orders.begin_epoch(sale.id, 0, at))->filling.epoch;
    EXPECT_GT(second, first) << "in the same millisecond";
    const auto back = at - std::chrono::hours{1};
    EXPECT_GT(run_to_end(orders.begin_epoch(sale.id, 0, back))->filling.epoch, second)
        << "the clock was set back";
    const auto ahead = second + (1 << 22);
    EXPECT_GT(run_to_end(orders.begin_epoch(sale.id, ahead, at))->filling.epoch, ahead)
        << "the copy was ahead, as after a restore";
    EXPECT_FALSE(run_to_end(orders.begin_epoch(SaleId{9}, 0, at)));
    EXPECT_FALSE(run_to_end(orders.hot_copy(SaleId{9})));
}

TEST_P(OrderLedgerContract, EveryChangeThatTheHotCopyHasNotSeenIsARowOfTheOutbox) {
    const auto early = submit(make_ticket(7));
    EXPECT_FALSE(early.needs_outbox_row) << "the copy has its claim";
    const auto held = buy(8);
    EXPECT_THAT(outbox(), testing::IsEmpty());
    const auto copy = run_to_end(orders.begin_epoch(sale.id, 41, from_millis(0)));
    EXPECT_GT(copy->filling.epoch, 41);
    EXPECT_EQ(copy->seq, 0);
    EXPECT_TRUE(submit(make_ticket(9, 1, 2)).needs_outbox_row) << "claimed in the epoch before";
    run_to_end(orders.cancel(held.id, UserId{8}, ledgers->clock().now()));
    const auto restocked = change(
        sale.id, [&](const Sale& before) { return restock_sale(before, 3, before.starts_at); });
    ASSERT_TRUE(restocked);
    EXPECT_EQ(restocked->after.hot_seq, 3);
    run_to_end(orders.expire(ledgers->clock().now() + std::chrono::hours{2}, 10, {}));
    const std::vector<HotChange> rows{
        {.seq = 1, .delta_left = -2, .buyer = UserId{9}, .delta_units = 2},
        {.seq = 2, .delta_left = 1, .buyer = UserId{8}, .delta_units = -1},
        {.seq = 3, .delta_left = 3, .buyer = std::nullopt, .delta_units = 0},
        {.seq = 4, .delta_left = 1, .buyer = UserId{7}, .delta_units = -1},
        {.seq = 5, .delta_left = 2, .buyer = UserId{9}, .delta_units = -2}};
    EXPECT_EQ(outbox(), rows);
    EXPECT_EQ(run_to_end(orders.hot_changes(sale.id, 2, 2)),
              std::vector(rows.begin() + 2, rows.begin() + 4));
    EXPECT_EQ(run_to_end(orders.hot_copy(sale.id))->seq, 5);
    EXPECT_EQ(stored_sale().hot_seq, 5);
}

TEST_P(OrderLedgerContract, EveryChangeOfASaleIsNewsWithAHigherNumber) {
    std::vector<Sale> heard;
    auto subscription = ledgers->all().on_news(
        [&](const NewsEdition& news) {
            heard.insert(heard.end(), news.sales.begin(), news.sales.end());
        },
        {});
    auto number = stored_sale().news_seq;
    const auto expect_news = [&](std::string_view what) {
        ASSERT_FALSE(heard.empty()) << what;
        const auto stored = stored_sale();
        EXPECT_EQ(heard.back(), stored) << what;
        EXPECT_GT(stored.news_seq, number) << what;
        number = stored.news_seq;
        heard.clear();
    };
    const auto order = buy(7);
    expect_news("a purchase");
    cancel(order.id, 7);
    expect_news("a cancel");
    change_sale([](Sale& changed) { changed.paused = true; });
    expect_news("a pause");
    change_sale([](Sale& changed) { changed.paused = false; });
    expect_news("a resume");
    ASSERT_TRUE(change(
        sale.id, [](const Sale& before) { return restock_sale(before, 3, before.starts_at); }));
    expect_news("a restock");
    run_to_end(orders.begin_epoch(sale.id, 41, from_millis(0)));
    expect_news("an epoch");
    submit(make_ticket(9));
    expect_news("a purchase that the hot copy did not see");
    run_to_end(orders.expire(ledgers->clock().now() + std::chrono::hours{2}, 10, {}));
    expect_news("an expiry");
    subscription.end();
    change_sale([](Sale& changed) { changed.paused = true; });
    EXPECT_TRUE(heard.empty()) << "nobody listens any more";
}

TEST_P(OrderLedgerContract, CountsTheHoldsThatABuyerLeftUnpaidInTheSale) {
    const auto unpaid = [&](std::int64_t buyer) {
        return run_to_end(orders.unpaid_holds(sale.id, UserId{buyer}));
    };
    EXPECT_EQ(unpaid(7).count, 0);
    EXPECT_FALSE(unpaid(7).latest);
    const auto cancelled = buy(7, 1);
    EXPECT_EQ(unpaid(7).count, 0) << "it may still be paid";
    cancel(cancelled.id, 7);
    EXPECT_EQ(unpaid(7).count, 1);
    EXPECT_EQ(unpaid(7).latest, cancelled.expires_at) << "a late cancel is no cheaper";
    ledgers->clock().move(milliseconds{5});
    const auto expired = buy(7, 2);
    run_to_end(orders.expire(expired.expires_at, 10, {}));
    EXPECT_EQ(unpaid(7).count, 2);
    EXPECT_EQ(unpaid(7).latest, expired.expires_at);
    EXPECT_EQ(unpaid(8).count, 0) << "of another buyer";
}

TEST_P(OrderLedgerContract, ForgetsOldRowsOfTheOutboxFromTheOldestOn) {
    const auto began = ledgers->clock().now();
    for (std::int64_t buyer = 1; buyer <= 3; ++buyer) cancel(buy(buyer).id, buyer);
    ledgers->clock().move(milliseconds{1});
    cancel(buy(4).id, 4);
    EXPECT_EQ(run_to_end(orders.prune_hot_changes(began, 10)), 0U);
    EXPECT_EQ(run_to_end(orders.prune_hot_changes(began + milliseconds{1}, 2)), 2U);
    EXPECT_EQ(run_to_end(orders.prune_hot_changes(began + milliseconds{1}, 2)), 1U);
    ASSERT_EQ(outbox().size(), 1U);
    EXPECT_EQ(outbox()[0].seq, 4);
    EXPECT_EQ(run_to_end(orders.prune_hot_changes(began + milliseconds{2}, 10)), 1U);
    EXPECT_EQ(stored_sale().hot_seq, 4) << "a number never comes twice";
}

TEST_P(OrderLedgerContract, LooksTicketsUpWithoutFencingThem) {
    buy(7);
    const auto records = run_to_end(orders.tickets({make_ticket(7), make_ticket(8)}));
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].state, TicketState::committed);
    EXPECT_FALSE(run_to_end(orders.ticket(make_ticket(8).id, UserId{8})));
}

RUN_ON_EVERY_ADAPTER(OrderLedgerContract);

}  // namespace
}  // namespace sluice
