#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Sale 1 is over: buyer 7 paid order `paid`, buyer 8 cancelled, and the order of buyer 9 expired.
class ArchiveContract : public contract::OrderContract {
  protected:
    PaymentLedger& payments = ledgers->all().payments();
    OrderList& list = ledgers->all().order_list();
    OrderId paid, cancelled, expired;
    Ticket first_ticket;
    PaymentId payment{5'001};

    void SetUp() override {
        OrderContract::SetUp();
        for (const int buyer : {7, 8, 9}) add_user(buyer);
        first_ticket = make_ticket(7, 1);
        paid = buy(7, 1).id;
        Payment draft;
        draft.id = payment;
        draft.order = paid;
        draft.provider = "bank";
        draft.created_at = clock_now();
        ASSERT_TRUE(run_to_end(payments.begin(draft, UserId{7})));
        ASSERT_EQ(take("event 1", ChargeId{6'001}), EventOutcome::captured);
        ledgers->clock().move(milliseconds{10});
        cancelled = buy(8, 2).id;
        ASSERT_TRUE(run_to_end(orders.cancel(cancelled, UserId{8}, clock_now())));
        ledgers->clock().move(milliseconds{10});
        expired = buy(9, 3).id;
        ledgers->clock().move(seconds{61});
        ASSERT_EQ(run_to_end(orders.expire(clock_now(), 10, {})).orders, 1U);
        ledgers->clock().move(hours{2});
    }

    Timestamp clock_now() { return ledgers->clock().now(); }
    Deed deed(std::int64_t id, std::string action) {
        auto made = make_deed(id);
        made.at = clock_now();
        made.action = std::move(action);
        made.subject = sale.id.text();
        return made;
    }
    void archive(std::int64_t id = 9'001) { ledgers->archive(sale.id, deed(id, "sale.archive")); }

    EventOutcome take(std::string id, ChargeId charge) {
        PaymentEvent event;
        event.provider = "bank";
        event.id = std::move(id);
        event.type = PaymentEvent::Type::payment_succeeded;
        event.payment = payment;
        event.charge = {charge, "charge " + charge.text(), 99, "CNY"};
        return run_to_end(payments.take(event, clock_now())).value().outcome;
    }
    std::vector<OrderId> ids_of(const OrderList::Wanted& wanted) {
        std::vector<OrderId> found;
        for (const auto& row : run_to_end(list.list(wanted))) found.push_back(row.order.id);
        return found;
    }
    std::optional<OrderState> state_of(OrderId id, std::int64_t buyer) {
        return run_to_end(orders.order(id, UserId{buyer})).transform([](const Order& order) {
            return order.state;
        });
    }
    void expect_seen() {
        EXPECT_EQ(state_of(paid, 7), OrderState::paid);
        EXPECT_EQ(state_of(cancelled, 8), OrderState::cancelled);
        EXPECT_EQ(state_of(expired, 9), OrderState::expired);
        EXPECT_EQ(state_of(paid, 8), std::nullopt) << "only their own";
        EXPECT_THAT(run_to_end(orders.orders(UserId{7}, std::nullopt, 10)), SizeIs(1));
        EXPECT_THAT(ids_of({.sale = sale.id}), ElementsAre(expired, cancelled, paid));
        EXPECT_THAT(ids_of({}), ElementsAre(expired, cancelled, paid));
        EXPECT_THAT(ids_of({.limit = 2}), ElementsAre(expired, cancelled));
        EXPECT_THAT(ids_of({.before = cancelled}), ElementsAre(paid));
        EXPECT_THAT(ids_of({.state = OrderState::paid}), ElementsAre(paid));
        EXPECT_THAT(ids_of({.state = OrderState::pending}), IsEmpty());
        EXPECT_THAT(ids_of({.sale = sale.id, .state = OrderState::expired}), ElementsAre(expired));
        EXPECT_THAT(ids_of({.buyer = UserId{8}}), ElementsAre(cancelled));
        EXPECT_THAT(ids_of({.money = OrderMoney::owed}), IsEmpty());

        const auto ticket = run_to_end(orders.latest_ticket(sale.id, UserId{7}));
        ASSERT_TRUE(ticket);
        EXPECT_EQ(ticket->order, paid);
        EXPECT_TRUE(run_to_end(orders.ticket(first_ticket.id, UserId{7})));
        EXPECT_THAT(run_to_end(orders.past(first_ticket)).same_wish, SizeIs(1));
        const auto history = run_to_end(payments.history(paid)).value();
        EXPECT_THAT(history.payments, SizeIs(1));
        EXPECT_THAT(history.money, SizeIs(1));
        EXPECT_THAT(history.events, SizeIs(1));
        EXPECT_THAT(run_to_end(list.holds(sale.id, clock_now())).buyers, SizeIs(2));
    }
    void expect_sound() {
        for (const auto& of : {std::optional<SaleId>{}, std::optional{sale.id}})
            for (const auto& check : ledgers->audit(of).checks)
                EXPECT_TRUE(check.holds) << check.name << ": " << check.detail;
        EXPECT_THAT(ledgers->broken_links(), IsEmpty());
    }
};

TEST_P(ArchiveContract, WhatIsArchivedIsSeenAsBefore) {
    expect_seen();
    expect_sound();
    archive();
    EXPECT_EQ(ledgers->orders_in_ledger(), 0);
    expect_seen();
    expect_sound();
}

TEST_P(ArchiveContract, ItComesBackAndIsArchivedAgain) {
    archive();
    ledgers->bring_back(sale.id, deed(9'002, "sale.bring_back"));
    EXPECT_EQ(ledgers->orders_in_ledger(), 3);
    expect_seen();
    expect_sound();
    archive(9'003);
    EXPECT_EQ(ledgers->orders_in_ledger(), 0);
    expect_seen();
    expect_sound();
}

TEST_P(ArchiveContract, BothAreDeeds) {
    archive();
    ledgers->bring_back(sale.id, deed(9'002, "sale.bring_back"));
    EXPECT_ANY_THROW(ledgers->bring_back(sale.id, deed(9'003, "sale.bring_back")));
    std::vector<std::string> actions;
    for (const auto& entry : run_to_end(ledgers->all().trail().list({}, 2)))
        actions.push_back(entry.deed.action);
    EXPECT_THAT(actions, ElementsAre("sale.bring_back", "sale.archive"));
}

TEST_P(ArchiveContract, ListsMergeWhatIsInBoth) {
    archive();
    sale.id = SaleId{2};
    sale.starts_at = clock_now();
    sale.ends_at = sale.starts_at + hours{1};
    ASSERT_TRUE(run_to_end(ledgers->all().catalog().add_sale(sale, make_deed(101), std::nullopt)));
    const auto newer = buy(7, 4).id;
    EXPECT_THAT(ids_of({}), ElementsAre(newer, expired, cancelled, paid));
    EXPECT_THAT(ids_of({.limit = 1}), ElementsAre(newer));
    EXPECT_THAT(ids_of({.before = newer, .limit = 1}), ElementsAre(expired));
    EXPECT_THAT(ids_of({.buyer = UserId{7}}), ElementsAre(newer, paid));
    EXPECT_THAT(ids_of({.sale = SaleId{2}}), ElementsAre(newer));
    const auto mine = run_to_end(orders.orders(UserId{7}, std::nullopt, 10));
    ASSERT_THAT(mine, SizeIs(2));
    EXPECT_EQ(mine[0].id, newer);
    EXPECT_EQ(mine[1].id, paid);
    expect_sound();
}

TEST_P(ArchiveContract, AShopperBringsNothingBack) {
    archive();
    EXPECT_FALSE(run_to_end(orders.cancel(expired, UserId{9}, clock_now())));
    Payment draft;
    draft.id = PaymentId{5'002};
    draft.order = expired;
    draft.provider = "bank";
    draft.created_at = clock_now();
    EXPECT_EQ(run_to_end(payments.begin(draft, UserId{9})).error().reason, Reason::conflict);
    EXPECT_EQ(run_to_end(payments.begin(draft, UserId{8})).error().reason, Reason::not_found);
    EXPECT_EQ(ledgers->orders_in_ledger(), 0);
}

TEST_P(ArchiveContract, ARefundBringsTheSaleBack) {
    archive();
    const auto refunded = run_to_end(payments.refund(paid, deed(9'002, "order.refund")));
    ASSERT_TRUE(refunded);
    EXPECT_EQ(refunded->order.state, OrderState::refunded);
    EXPECT_EQ(ledgers->orders_in_ledger(), 3);
    EXPECT_THAT(ids_of({.money = OrderMoney::owed}), ElementsAre(paid));
    EXPECT_THAT(ids_of({.state = OrderState::paid}), IsEmpty()) << "the copy does not count";
    EXPECT_ANY_THROW(archive(9'003)) << "money is owed back";
    expect_sound();
}

TEST_P(ArchiveContract, LateMoneyBringsTheSaleBack) {
    archive();
    EXPECT_EQ(take("event 1", ChargeId{6'001}), EventOutcome::repeated);
    EXPECT_EQ(take("event 2", ChargeId{6'002}), EventOutcome::refunded) << "it was paid before";
    EXPECT_EQ(ledgers->orders_in_ledger(), 3);
    EXPECT_EQ(state_of(paid, 7), OrderState::paid);
    expect_sound();
}

TEST_P(ArchiveContract, AnotherProcessSeesItAtOnce) {
    auto second = ledgers->second();
    archive();
    const auto order = run_to_end(second.ledgers.orders().order(paid, UserId{7}));
    ASSERT_TRUE(order);
    EXPECT_EQ(order->state, OrderState::paid);
    ASSERT_TRUE(run_to_end(second.ledgers.payments().refund(paid, deed(9'002, "order.refund"))));
    EXPECT_EQ(state_of(paid, 7), OrderState::refunded);
    expect_sound();
}

TEST_P(ArchiveContract, WhatIsNotOverOrStillNeedsSomethingStays) {
    sale.id = SaleId{2};
    sale.starts_at = clock_now();
    sale.ends_at = sale.starts_at + hours{1};
    ASSERT_TRUE(run_to_end(ledgers->all().catalog().add_sale(sale, make_deed(101), std::nullopt)));
    const auto pending = buy(7, 4).id;
    EXPECT_ANY_THROW(archive()) << "it is not over";
    ledgers->clock().move(hours{2});
    EXPECT_ANY_THROW(archive()) << "an order is pending";
    EXPECT_EQ(state_of(pending, 7), OrderState::pending);
    EXPECT_EQ(ledgers->orders_in_ledger(), 4);
    expect_sound();
}

RUN_ON_EVERY_ADAPTER(ArchiveContract);

}  // namespace
}  // namespace sluice
