#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using enum OrderDeliveryState;

class DeliveryLedgerContract : public contract::OrderContract {
  protected:
    DeliveryLedger& deliveries = ledgers->all().deliveries();
    OrderList& list = ledgers->all().order_list();

    Order buy_paid(std::int64_t buyer, unsigned char number = 1) {
        ledgers->clock().move(milliseconds{10});
        auto order = buy(buyer, number);
        ledgers->set_order_state(order.id, OrderState::paid);
        return order;
    }
    Outcome<OrderDelivery> change(const Order& order, OrderDeliveryWish wish) {
        return run_to_end(deliveries.change(order.id, std::move(wish), make_deed(++deeds_)));
    }
    OrderDelivery delivery_of(const Order& order) {
        return run_to_end(deliveries.find({order.id}))[order.id];
    }
    std::vector<OrderId> ids_of(OrderList::Wanted wanted) {
        std::vector<OrderId> found;
        for (const auto& row : run_to_end(list.list(std::move(wanted))))
            found.push_back(row.order.id);
        return found;
    }

  private:
    std::int64_t deeds_ = 7'000;
};

TEST_P(DeliveryLedgerContract, KeepsWhatWasSaidLast) {
    const auto order = buy_paid(7);
    EXPECT_EQ(delivery_of(order), OrderDelivery{});
    const auto changed = change(order, {.state = shipped, .carrier = "顺丰 🚚", .number = "SF1"});
    ASSERT_TRUE(changed.has_value());
    EXPECT_EQ(changed->carrier, "顺丰 🚚");
    EXPECT_EQ(delivery_of(order), *changed);
    EXPECT_EQ(change(order, {.state = delivered})->number, "SF1");
    EXPECT_EQ(delivery_of(order).state, delivered);
    EXPECT_EQ(change(order, {.state = none})->number, "");
    EXPECT_THAT(run_to_end(deliveries.find({order.id})), IsEmpty());
}

TEST_P(DeliveryLedgerContract, RefusesWhatTheRuleRefuses) {
    const auto order = buy(7, 1);
    EXPECT_EQ(change(order, {.state = shipped}).error().detail, Detail::nothing_to_deliver);
    ledgers->set_order_state(order.id, OrderState::paid);
    EXPECT_EQ(change(order, {.state = shipped, .number = "\n"}).error().reason, Reason::invalid);
    Order unknown;
    unknown.id = OrderId{1};
    EXPECT_EQ(change(unknown, {.state = shipped}).error().reason, Reason::not_found);
    EXPECT_THAT(run_to_end(deliveries.find({order.id, unknown.id})), IsEmpty());
}

TEST_P(DeliveryLedgerContract, TheDeedHasTheDeliveryBeforeAndAfter) {
    const auto order = buy_paid(7);
    const auto deeds = [&] { return run_to_end(ledgers->all().trail().list({}, 100)); };
    const auto before = deeds().size();
    change(order, {.state = shipped, .number = "1"});
    change(order, {.state = shipped});
    const auto after = deeds();
    ASSERT_EQ(after.size(), before + 1) << "the same again is no deed";
    EXPECT_EQ(after[0].deed.before, R"({"state":"none","carrier":"","number":""})");
    EXPECT_EQ(after[0].deed.after, R"({"state":"shipped","carrier":"","number":"1"})");
}

TEST_P(DeliveryLedgerContract, OrdersAreListedByTheirDelivery) {
    const auto a = buy_paid(7, 1), b = buy_paid(7, 2), c = buy_paid(8, 1), d = buy_paid(8, 2);
    ledgers->clock().move(milliseconds{10});
    buy(9, 1);
    change(a, {.state = shipped});
    change(b, {.state = preparing});
    change(c, {.state = shipped});
    EXPECT_THAT(ids_of({.delivery = shipped}), ElementsAre(c.id, a.id));
    EXPECT_THAT(ids_of({.delivery = shipped, .limit = 1}), ElementsAre(c.id));
    EXPECT_THAT(ids_of({.delivery = shipped, .before = c.id}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.delivery = none}), ElementsAre(d.id)) << "of those that are paid";
    EXPECT_THAT(ids_of({.delivery = delivered}), IsEmpty());
    EXPECT_THAT(ids_of({.sale = sale.id, .delivery = preparing}), ElementsAre(b.id));
    EXPECT_THAT(ids_of({.sale = SaleId{2}, .delivery = preparing}), IsEmpty());
    EXPECT_THAT(ids_of({.buyer = UserId{7}, .delivery = shipped}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.buyers = std::vector{UserId{7}, UserId{8}}, .delivery = none}),
                ElementsAre(d.id));
    EXPECT_THAT(ids_of({.money = OrderMoney::owed, .delivery = shipped}), IsEmpty());
    EXPECT_THAT(ids_of({.state = OrderState::pending, .delivery = none}), IsEmpty());
    ledgers->set_order_state(a.id, OrderState::refunded);
    EXPECT_THAT(ids_of({.state = OrderState::refunded, .delivery = shipped}), ElementsAre(a.id));
    EXPECT_THAT(ids_of({.state = OrderState::paid, .delivery = shipped}), ElementsAre(c.id));
    EXPECT_EQ(run_to_end(list.list({.delivery = preparing})).at(0).delivery.state, preparing);
}

RUN_ON_EVERY_ADAPTER(DeliveryLedgerContract);

}  // namespace
}  // namespace sluice
