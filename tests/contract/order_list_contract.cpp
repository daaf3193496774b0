#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using Wanted = OrderList::Wanted;

class OrderListContract : public contract::OrderContract {
  protected:
    OrderList& list = ledgers->all().order_list();

    Order buy_later(std::int64_t buyer, unsigned char number) {
        ledgers->clock().move(milliseconds{10});
        return buy(buyer, number);
    }
    std::vector<OrderId> ids_of(const Wanted& wanted) {
        std::vector<OrderId> found;
        for (const auto& row : run_to_end(list.list(wanted))) found.push_back(row.order.id);
        return found;
    }
};

TEST_P(OrderListContract, ListsEverybodysOrdersTheNewestFirstInPages) {
    const auto a = buy_later(7, 1), b = buy_later(8, 1), c = buy_later(7, 2);
    EXPECT_THAT(ids_of({}), ElementsAre(c.id, b.id, a.id));
    EXPECT_THAT(ids_of({.limit = 2}), ElementsAre(c.id, b.id));
    EXPECT_THAT(ids_of({.before = b.id, .limit = 2}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.before = a.id}), IsEmpty());
}

TEST_P(OrderListContract, ARowIsTheOrderAndItsBuyer) {
    add_user(7);
    const auto bought = buy(7, 1, 2);
    const auto row = run_to_end(list.list({})).at(0);
    EXPECT_EQ(row.order.ticket, bought.ticket);
    EXPECT_EQ(row.order.quantity, 2);
    EXPECT_EQ(row.order.buyer, UserId{7});
    EXPECT_EQ(row.buyer_phone, make_user(7).phone);
    EXPECT_EQ(row.buyer_name, make_user(7).name);
    EXPECT_EQ(row.order.expires_at, bought.expires_at);
}

TEST_P(OrderListContract, EachFilterAloneAndTogether) {
    const auto a = buy_later(7, 1), b = buy_later(7, 2), c = buy_later(8, 1), d = buy_later(8, 2);
    ledgers->set_order_state(a.id, OrderState::refunded);
    ledgers->set_order_state(c.id, OrderState::paid);

    EXPECT_THAT(ids_of({.sale = sale.id}), ElementsAre(d.id, c.id, b.id, a.id));
    EXPECT_THAT(ids_of({.sale = SaleId{2}}), IsEmpty());
    EXPECT_THAT(ids_of({.sale = sale.id, .before = d.id, .limit = 2}), ElementsAre(c.id, b.id));
    for (const auto& of : {std::optional<SaleId>{}, std::optional{sale.id}}) {
        EXPECT_THAT(ids_of({.sale = of, .state = OrderState::pending}), ElementsAre(d.id, b.id));
        EXPECT_THAT(ids_of({.sale = of, .state = OrderState::pending, .before = d.id}),
                    ElementsAre(b.id));
        EXPECT_THAT(ids_of({.sale = of, .state = OrderState::paid}), ElementsAre(c.id));
        EXPECT_THAT(ids_of({.sale = of, .state = OrderState::refunded}), ElementsAre(a.id));
        EXPECT_THAT(ids_of({.sale = of, .state = OrderState::expired}), IsEmpty());
        EXPECT_THAT(ids_of({.sale = of, .state = OrderState::pending, .buyer = UserId{7}}),
                    ElementsAre(b.id));
    }
    EXPECT_THAT(ids_of({.buyer = UserId{8}}), ElementsAre(d.id, c.id));
    EXPECT_THAT(ids_of({.sale = SaleId{2}, .buyer = UserId{8}}), IsEmpty());
    EXPECT_THAT(ids_of({.buyer = UserId{9}}), IsEmpty());
}

TEST_P(OrderListContract, OfSeveralBuyersTheNewestFirstInPages) {
    const auto a = buy_later(7, 1), b = buy_later(8, 1), c = buy_later(9, 1), d = buy_later(7, 2);
    ledgers->set_order_state(a.id, OrderState::paid);
    const std::vector both{UserId{7}, UserId{8}};
    EXPECT_THAT(ids_of({.buyers = both}), ElementsAre(d.id, b.id, a.id));
    EXPECT_THAT(ids_of({.buyers = both, .limit = 2}), ElementsAre(d.id, b.id));
    EXPECT_THAT(ids_of({.buyers = both, .before = b.id, .limit = 2}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.buyers = std::vector{UserId{8}, UserId{99}}}), ElementsAre(b.id));
    EXPECT_THAT(ids_of({.buyers = std::vector<UserId>{}}), IsEmpty()) << "of nobody";
    EXPECT_THAT(ids_of({.buyer = UserId{8}, .buyers = both}), ElementsAre(b.id));
    EXPECT_THAT(ids_of({.buyer = UserId{9}, .buyers = both}), IsEmpty());
    EXPECT_THAT(ids_of({.sale = sale.id, .state = OrderState::pending, .buyers = both}),
                ElementsAre(d.id, b.id));
    EXPECT_THAT(ids_of({.sale = SaleId{2}, .buyers = both}), IsEmpty());
    EXPECT_THAT(ids_of({.buyers = both, .from = b.created_at}), ElementsAre(d.id, b.id));
    EXPECT_THAT(ids_of({.buyers = both, .money = OrderMoney::owed}), IsEmpty());
    EXPECT_THAT(ids_of({.buyers = std::vector{UserId{9}}}), ElementsAre(c.id));
}

TEST_P(OrderListContract, FromAnInstantOnAndUpToIt) {
    const auto a = buy_later(7, 1), b = buy_later(8, 1), c = buy_later(7, 2);
    const auto at = b.created_at;
    EXPECT_THAT(ids_of({.from = at}), ElementsAre(c.id, b.id));
    EXPECT_THAT(ids_of({.from = at + milliseconds{1}}), ElementsAre(c.id));
    EXPECT_THAT(ids_of({.until = at}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.sale = sale.id, .from = at, .until = at + milliseconds{1}}),
                ElementsAre(b.id));
    EXPECT_THAT(ids_of({.buyer = UserId{7}, .until = at}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.from = at, .before = c.id}), ElementsAre(b.id));
    EXPECT_THAT(ids_of({.until = from_millis(0)}), IsEmpty());
}

TEST_P(OrderListContract, ByMoneyOutOfTheOrdinary) {
    const auto a = buy_later(7, 1), b = buy_later(8, 1), c = buy_later(7, 2);
    std::int64_t ids = 5'000;
    const auto pay = [&](const Order& order, std::int64_t cents) {
        const auto at = ledgers->clock().now();
        Payment draft;
        draft.id = PaymentId{++ids};
        draft.order = order.id;
        draft.provider = "bank";
        draft.created_at = at;
        const auto payment = run_to_end(ledgers->all().payments().begin(draft, order.buyer));
        PaymentEvent event;
        event.provider = "bank";
        event.id = std::to_string(++ids);
        event.type = PaymentEvent::Type::payment_succeeded;
        event.payment = payment ? payment->id : PaymentId{ids - 2};
        event.charge = {ChargeId{ids}, std::to_string(ids), cents, "CNY"};
        run_to_end(ledgers->all().payments().take(event, at));
        return event.charge.id;
    };
    const auto odd = pay(a, 1);
    pay(a, 2);
    pay(c, 1);
    pay(b, b.total_cents());
    using enum OrderMoney;
    EXPECT_THAT(ids_of({.money = mismatch}), ElementsAre(c.id, a.id)) << "each order once";
    EXPECT_THAT(ids_of({.money = owed}), ElementsAre(c.id, a.id));
    EXPECT_THAT(ids_of({.money = late}), IsEmpty());
    EXPECT_THAT(ids_of({.money = surplus}), IsEmpty());
    EXPECT_THAT(ids_of({.money = owed, .before = c.id}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.money = owed, .limit = 1}), ElementsAre(c.id));
    EXPECT_THAT(ids_of({.sale = SaleId{2}, .money = owed}), IsEmpty());
    EXPECT_THAT(ids_of({.state = OrderState::paid, .money = mismatch}), IsEmpty());
    EXPECT_THAT(ids_of({.buyer = UserId{8}, .money = mismatch}), IsEmpty());
    run_to_end(ledgers->all().payments().note_refunded(odd, ledgers->clock().now()));
    EXPECT_THAT(ids_of({.money = owed}), ElementsAre(c.id, a.id)) << "one of two is still owed";
}

RUN_ON_EVERY_ADAPTER(OrderListContract);

}  // namespace
}  // namespace sluice
