// What operators see of unpaid holds, and how these are given back.

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using contract::make_key;
using std::chrono::milliseconds;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using Age = HoldsOfSale::Age;

/// Orders of the sale are held for ten minutes.
class HoldsContract : public contract::OrderContract {
  protected:
    OrderList& list = ledgers->all().order_list();
    HoldNetworkLedger& networks = ledgers->all().hold_networks();

    void SetUp() override {
        OrderContract::SetUp();
        change_sale([](Sale& changed) { changed.hold_seconds = 600; });
    }
    Timestamp now() { return ledgers->clock().now(); }

    /// From that address; the session lasts this long without being used.
    void log_in(std::int64_t buyer, const char* address, minutes length = minutes{30}) {
        ledgers->clock().move(milliseconds{1});
        OpenedSession opened{.key = make_key(++keys),
                             .user = UserId{buyer},
                             .password_hash = "hash",
                             .expires_at = now() + length,
                             .ends_at = now() + contract::kFar};
        if (*address) opened.network = household_of(*Address::parse(address));
        ASSERT_TRUE(run_to_end(ledgers->all().sessions().add(opened)));
    }
    void join(std::int64_t buyer, const char* address) {
        add_user(buyer);
        log_in(buyer, address);
    }
    /// An order that is set to this state; its units stay where they are.
    void leave(std::int64_t buyer, unsigned char number, OrderState state) {
        ledgers->set_order_state(buy(buyer, number).id, state);
    }
    /// The order was bought from there.
    void note(const Order& order, const char* address) {
        const auto network = household_of(*Address::parse(address));
        run_to_end(networks.note({{.ticket = order.ticket, .network = network, .at = now()}}));
    }
    HoldsOfSale holds() { return run_to_end(list.holds(sale.id, now())); }
    std::string network_of(std::int64_t buyer) {
        for (const auto& row : holds().buyers)
            if (row.id == UserId{buyer}) return row.network ? row.network->text() : "unknown";
        return "not listed";
    }

    OrderLedger::HoldsWanted wanted(const char* of, std::size_t limit = 200, OrderId after = {}) {
        return {.sale = sale.id,
                .of = *parse_block_subject(of),
                .now = now(),
                .limit = limit,
                .after = after};
    }
    Deed deed() {
        auto made = make_deed(++deeds);
        made.action = "holds.give_back";
        made.subject = sale.id.text();
        return made;
    }
    OrderLedger::HoldsGivenBack give_back(const OrderLedger::HoldsWanted& what) {
        return run_to_end(orders.give_back_holds(what, deed()));
    }
    std::vector<std::string> told() {
        std::vector<std::string> details;
        for (const auto& entry : run_to_end(ledgers->all().trail().list({}, 50)))
            if (entry.deed.action == "holds.give_back") details.push_back(entry.deed.after);
        return details;
    }
    OrderState state_of(const Order& order) {
        return run_to_end(orders.order(order.id, order.buyer))->state;
    }

  private:
    unsigned char keys = 0;
    std::int64_t deeds = 5'000;
};

TEST_P(HoldsContract, PendingOrdersByTheirAge) {
    EXPECT_THAT(holds().ages, IsEmpty());
    const auto first = buy(7, 1, 2);
    ledgers->clock().move(minutes{3});
    buy(8, 1, 3);
    ledgers->clock().move(milliseconds{59'999});
    buy(9);
    EXPECT_THAT(holds().ages, ElementsAre(Age{0, {2, 4}}, Age{3, {1, 2}}));
    ledgers->clock().move(milliseconds{1});
    EXPECT_THAT(holds().ages, ElementsAre(Age{0, {1, 1}}, Age{1, {1, 3}}, Age{4, {1, 2}}));
    EXPECT_THAT(run_to_end(list.holds(sale.id, first.expires_at)).ages, SizeIs(2))
        << "due orders are not pending any more";
    EXPECT_THAT(run_to_end(list.holds(SaleId{2}, now())).ages, IsEmpty());
    EXPECT_THAT(holds().buyers, SizeIs(3)) << "who hold units, before anything has lapsed";
}

TEST_P(HoldsContract, BuyersWithTheMostLapses) {
    join(7, "203.0.113.7");
    leave(7, 1, OrderState::expired);
    join(8, "203.0.113.8");
    leave(8, 1, OrderState::cancelled);
    leave(8, 2, OrderState::expired);
    buy(8, 3);
    leave(9, 1, OrderState::cancelled);
    leave(9, 2, OrderState::paid);
    leave(9, 3, OrderState::refunded);
    join(6, "203.0.113.6");
    leave(6, 1, OrderState::paid);
    const auto rows = holds().buyers;
    ASSERT_THAT(rows, SizeIs(3));
    EXPECT_EQ(rows[0].id, UserId{8});
    EXPECT_EQ(rows[0].phone, make_user(8).phone);
    EXPECT_EQ(rows[0].name, make_user(8).name);
    EXPECT_EQ(rows[0].lapses, 2);
    EXPECT_EQ(rows[0].pending, (Held{1, 1}));
    EXPECT_EQ(rows[0].paid, 0);
    EXPECT_EQ(rows[0].network->text(), "203.0.113.8/32");
    EXPECT_EQ(rows[1].id, UserId{7});
    EXPECT_EQ(rows[2].id, UserId{9});
    EXPECT_EQ(rows[2].phone, "") << "no such user";
    EXPECT_EQ(rows[2].paid, 1);
    EXPECT_FALSE(rows[2].network);
    EXPECT_THAT(run_to_end(list.holds(SaleId{2}, now())).buyers, IsEmpty());
}

TEST_P(HoldsContract, NetworksWithTheMostLapses) {
    join(6, "2001:db8::1");
    leave(6, 1, OrderState::expired);
    join(7, "203.0.113.7");
    leave(7, 1, OrderState::expired);
    leave(7, 2, OrderState::expired);
    join(8, "203.0.113.7");
    buy(8, 1, 3);
    join(9, "2001:db8::ffff");
    leave(9, 1, OrderState::cancelled);
    leave(9, 2, OrderState::expired);
    const auto rows = holds().networks;
    ASSERT_THAT(rows, SizeIs(2));
    EXPECT_EQ(rows[0].network.text(), "2001:db8::/64");
    EXPECT_EQ(rows[0].buyers, 2);
    EXPECT_EQ(rows[0].lapses, 3);
    EXPECT_EQ(rows[0].pending, Held{});
    EXPECT_EQ(rows[1].network.text(), "203.0.113.7/32");
    EXPECT_EQ(rows[1].buyers, 2);
    EXPECT_EQ(rows[1].lapses, 2);
    EXPECT_EQ(rows[1].pending, (Held{1, 3}));
}

TEST_P(HoldsContract, ANetworkIsThatOfTheLatestLogInWithASession) {
    add_user(7);
    leave(7, 1, OrderState::expired);
    EXPECT_EQ(network_of(7), "unknown");
    log_in(7, "203.0.113.7");
    log_in(7, "203.0.113.8", minutes{2});
    EXPECT_EQ(network_of(7), "203.0.113.8/32");
    log_in(7, "");
    EXPECT_EQ(network_of(7), "203.0.113.8/32") << "nothing is known of a session without one";
    ledgers->clock().move(minutes{2});
    EXPECT_EQ(network_of(7), "203.0.113.7/32") << "what is known goes with the session";
    run_to_end(ledgers->all().sessions().remove_all(UserId{7}, std::nullopt));
    EXPECT_EQ(network_of(7), "unknown");
}

TEST_P(HoldsContract, AnOrderBelongsToTheNetworkOfItsPurchaseAlsoAfterTheSession) {
    join(7, "198.51.100.1");
    const auto lapsed = buy(7, 1), held = buy(7, 2, 2);
    note(lapsed, "203.0.113.7");
    note(held, "2001:db8::1");
    note(held, "192.0.2.1");
    ledgers->set_order_state(lapsed.id, OrderState::expired);
    run_to_end(ledgers->all().sessions().remove_all(UserId{7}, std::nullopt));
    EXPECT_EQ(network_of(7), "2001:db8::/64") << "of the latest order, and the first note counts";
    const auto rows = holds().networks;
    ASSERT_THAT(rows, SizeIs(2));
    EXPECT_EQ(rows[0].network.text(), "203.0.113.7/32") << "the lapse counts where it was made";
    EXPECT_EQ(rows[0].lapses, 1);
    EXPECT_EQ(rows[0].pending, Held{});
    EXPECT_EQ(rows[1].network.text(), "2001:db8::/64");
    EXPECT_EQ(rows[1].lapses, 0);
    EXPECT_EQ(rows[1].pending, (Held{1, 2}));
    log_in(7, "198.51.100.1");
    EXPECT_EQ(give_back(wanted("198.51.100.1")).held, Held{}) << "they were not bought from there";
    EXPECT_EQ(give_back(wanted("203.0.113.7")).held, Held{}) << "what lapsed has come back already";
    EXPECT_EQ(give_back(wanted("2001:db8::/64")).held, (Held{1, 2}));
}

TEST_P(HoldsContract, AnOrderOfWhichNoNetworkIsKeptBelongsToTheSession) {
    join(7, "198.51.100.1");
    const auto known = buy(7, 1);
    buy(7, 2);
    note(known, "203.0.113.7");
    EXPECT_THAT(holds().networks, SizeIs(2));
    EXPECT_EQ(give_back(wanted("198.51.100.1")).held, (Held{1, 1}));
    EXPECT_EQ(state_of(known), OrderState::pending);
}

TEST_P(HoldsContract, NetworksAreForgottenAWhileAfterThePurchaseAndTheSale) {
    const auto began = now();
    const Timestamp never = from_millis(0);
    const auto prune = [this](Timestamp noted_before, Timestamp over_before, std::size_t limit) {
        return run_to_end(networks.prune(noted_before, over_before, limit));
    };
    note(buy(7), "203.0.113.7");
    ledgers->clock().move(milliseconds{1});
    for (const std::int64_t buyer : {6, 8, 9}) note(buy(buyer), "203.0.113.8");
    EXPECT_EQ(prune(began, never, 10), 0U);
    EXPECT_EQ(prune(began + milliseconds{1}, never, 10), 1U);
    EXPECT_EQ(network_of(7), "unknown");
    EXPECT_EQ(network_of(8), "203.0.113.8/32");
    const auto over = now();
    change_sale([over](Sale& changed) { changed.ended_at = over; });
    EXPECT_EQ(prune(never, over, 10), 0U);
    EXPECT_EQ(prune(never, over + milliseconds{1}, 2), 2U);
    EXPECT_EQ(prune(never, over + milliseconds{1}, 2), 1U);
    EXPECT_EQ(prune(never, over + milliseconds{1}, 2), 0U);
    EXPECT_THAT(holds().networks, IsEmpty());
}

TEST_P(HoldsContract, GivingBackABuyersHoldsCancelsThem) {
    const auto a = buy(7, 1, 2), b = buy(7, 2), others = buy(8);
    const auto given = give_back(wanted("7"));
    EXPECT_EQ(given.held, (Held{2, 3}));
    EXPECT_FALSE(given.more);
    EXPECT_EQ(state_of(a), OrderState::cancelled);
    EXPECT_EQ(state_of(b), OrderState::cancelled);
    EXPECT_EQ(state_of(others), OrderState::pending);
    expect_stock(9, 1);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 0), Pair(UserId{8}, 1)));
    EXPECT_THAT(
        outbox(),
        ElementsAre(HotChange{.seq = 1, .delta_left = 2, .buyer = UserId{7}, .delta_units = -2},
                    HotChange{.seq = 2, .delta_left = 1, .buyer = UserId{7}, .delta_units = -1}));
    EXPECT_THAT(told(), ElementsAre(R"({"subject":"7","orders":2,"units":3})"));
    EXPECT_EQ(run_to_end(orders.unpaid_holds(sale.id, UserId{7})).count, 2) << "they are lapses";
}

TEST_P(HoldsContract, ASecondTimeThereIsNothingToGiveBack) {
    buy(7);
    give_back(wanted("7"));
    const auto again = give_back(wanted("7"));
    EXPECT_EQ(again.held, Held{});
    EXPECT_FALSE(again.more);
    EXPECT_EQ(again.last, OrderId{});
    expect_stock(10, 0);
    EXPECT_THAT(outbox(), SizeIs(1));
    EXPECT_THAT(told(), SizeIs(1)) << "what changes nothing is no deed";
    EXPECT_EQ(give_back(wanted("12345")).held, Held{});
}

TEST_P(HoldsContract, GivingBackTheHoldsOfANetwork) {
    join(6, "203.0.113.7");
    join(7, "203.0.113.8");
    join(8, "2001:db8::1");
    const auto a = buy(6), b = buy(7), c = buy(8), unknown = buy(9);
    EXPECT_EQ(give_back(wanted("203.0.113.7")).held, (Held{1, 1}));
    EXPECT_EQ(state_of(b), OrderState::pending);
    EXPECT_EQ(give_back(wanted("203.0.113.0/24")).held, (Held{1, 1}));
    EXPECT_EQ(state_of(b), OrderState::cancelled);
    EXPECT_EQ(give_back(wanted("2001:db8::/64")).held, (Held{1, 1}));
    EXPECT_EQ(state_of(c), OrderState::cancelled);
    EXPECT_EQ(state_of(unknown), OrderState::pending);
    EXPECT_THAT(told(), ElementsAre(R"({"subject":"2001:db8::/64","orders":1,"units":1})",
                                    R"({"subject":"203.0.113.0/24","orders":1,"units":1})",
                                    R"({"subject":"203.0.113.7","orders":1,"units":1})"));
    expect_stock(9, 1);
    EXPECT_EQ(state_of(a), OrderState::cancelled);
}

TEST_P(HoldsContract, OnlyTheLatestLogInCounts) {
    join(7, "203.0.113.7");
    log_in(7, "198.51.100.1");
    buy(7);
    EXPECT_EQ(give_back(wanted("203.0.113.7")).held, Held{});
    EXPECT_EQ(give_back(wanted("198.51.100.1")).held, (Held{1, 1}));
}

TEST_P(HoldsContract, InBitesTheOldestFirst) {
    join(7, "203.0.113.7");
    join(8, "203.0.113.7");
    std::vector<Order> made;
    for (unsigned char number = 1; number <= 3; ++number) {
        made.push_back(buy(7, number));
        ledgers->clock().move(milliseconds{1});
        made.push_back(buy(8, number));
        ledgers->clock().move(milliseconds{1});
    }
    for (const char* of : {"203.0.113.7", "7"}) {
        const auto first = give_back(wanted(of, 1));
        EXPECT_EQ(first.held, (Held{1, 1})) << of;
        EXPECT_TRUE(first.more) << of;
    }
    EXPECT_EQ(state_of(made[0]), OrderState::cancelled);
    EXPECT_EQ(state_of(made[1]), OrderState::pending);
    EXPECT_EQ(state_of(made[2]), OrderState::cancelled);
    const auto skipping = give_back(wanted("203.0.113.7", 2, made[1].id));
    EXPECT_EQ(skipping.last, made[4].id);
    EXPECT_TRUE(skipping.more);
    const auto exact = give_back(wanted("203.0.113.7", 2));
    EXPECT_EQ(exact.held, (Held{2, 2}));
    EXPECT_FALSE(exact.more) << "there were just so many";
    expect_stock(10, 0);
}

TEST_P(HoldsContract, WhatIsNotPendingAnyMoreStays) {
    join(7, "203.0.113.7");
    const auto paid = buy(7, 1), due = buy(7, 2);
    ledgers->set_order_state(paid.id, OrderState::paid);
    auto at_the_end = wanted("203.0.113.7");
    at_the_end.now = due.expires_at;
    EXPECT_EQ(give_back(at_the_end).held, Held{}) << "it expires";
    auto of_buyer = wanted("7");
    of_buyer.now = due.expires_at;
    EXPECT_EQ(give_back(of_buyer).held, Held{});
    of_buyer.now = due.expires_at - milliseconds{1};
    EXPECT_EQ(give_back(of_buyer).held, (Held{1, 1}));
    EXPECT_EQ(state_of(paid), OrderState::paid);
    expect_stock(9, 1);
}

TEST_P(HoldsContract, APaymentUnderWayKeepsNothing) {
    const auto order = buy(7);
    Payment draft;
    draft.id = PaymentId{6'000};
    draft.order = order.id;
    draft.provider = "bank";
    draft.created_at = now();
    const auto payment = run_to_end(ledgers->all().payments().begin(draft, order.buyer));
    ASSERT_TRUE(payment);
    EXPECT_EQ(give_back(wanted("7")).held, (Held{1, 1}));
    PaymentEvent event;
    event.provider = "bank";
    event.id = "late";
    event.type = PaymentEvent::Type::payment_succeeded;
    event.payment = payment->id;
    event.charge = {ChargeId{6'001}, "charge", order.total_cents(), "CNY"};
    const auto taken = run_to_end(ledgers->all().payments().take(event, now()));
    EXPECT_EQ(taken->outcome, EventOutcome::refunded) << "as after a cancel by the buyer";
    expect_stock(10, 0);
}

TEST_P(HoldsContract, AnOrderWithoutItsUnitsKeepsNoOtherFromIt) {
    for (std::int64_t buyer : {6, 7, 8}) join(buyer, "203.0.113.7");
    const auto a = buy(6), broken = buy(7), c = buy(8);
    ledgers->lose_holding(sale.id, UserId{7});
    const auto given = give_back(wanted("203.0.113.7"));
    EXPECT_EQ(given.held, (Held{2, 2}));
    EXPECT_FALSE(given.more);
    EXPECT_EQ(state_of(a), OrderState::cancelled);
    EXPECT_EQ(state_of(broken), OrderState::pending);
    EXPECT_EQ(state_of(c), OrderState::cancelled);
    expect_stock(9, 1);
    EXPECT_THAT(outbox(), SizeIs(2));
    const auto again = give_back(wanted("203.0.113.7"));
    EXPECT_EQ(again.held, Held{});
    EXPECT_EQ(again.last, broken.id) << "whoever goes on passes it over";
    EXPECT_THAT(told(), SizeIs(1));
}

TEST_P(HoldsContract, FromManySidesUnitsReturnOnce) {
    join(7, "203.0.113.7");
    const auto order = buy(7, 1, 3);
    std::int64_t returned = 0;
    for (int i = 0; i < 10; ++i) {
        loop.spawn(orders.give_back_holds(wanted(i % 2 ? "7" : "203.0.113.7"), deed()),
                   [&](std::exception_ptr error, OrderLedger::HoldsGivenBack given) {
                       EXPECT_FALSE(error);
                       returned += given.held.units;
                   });
        loop.spawn(orders.cancel(order.id, UserId{7}, now()),
                   [&](std::exception_ptr error, Outcome<OrderLedger::GivenBack> back) {
                       EXPECT_FALSE(error);
                       if (back && back->fresh) returned += 3;
                   });
    }
    loop.run();
    EXPECT_EQ(returned, 3);
    expect_stock(10, 0);
    EXPECT_THAT(outbox(), SizeIs(1));
}

RUN_ON_EVERY_ADAPTER(HoldsContract);

}  // namespace
}  // namespace sluice
