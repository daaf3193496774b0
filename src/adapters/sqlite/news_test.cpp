#include "adapters/sql/news.hpp"

#include <thread>

#include <gmock/gmock.h>

#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "base/run_to_end.hpp"
#include "support/hand_in.hpp"
#include "support/manual_clock.hpp"
#include "support/temp_folder.hpp"

namespace sluice::sqlite {
namespace {

using sql::News;

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// A sale with three units of which a buyer may have one, at 5 a unit and for 900 s.
class NewsTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    testing_support::ManualClock clock;
    IdSource ids{1};
    std::vector<std::string> heard;  // "buyer what state"
    std::vector<BuyerNews> news;
    std::optional<Ledger> ledger;
    Subscription subscription;
    std::unique_ptr<OrderIntake> intake;

    void SetUp() override {
        const auto file = folder / "ledger.db";
        migrate(file);
        auto database = Database::open_writer(file);
        database.run_script(R"(
            INSERT INTO users VALUES (1, '10001', '', 'operator', NULL, 0);
            INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0, '', '', 0);
            INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 0, NULL, NULL, 0, 3, 3, 0, 0,
                                      1, 900, 'none', 1, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none',
                                      '', '', '', 'everyone', NULL, 0);)");
        ledger.emplace(LedgerOptions{.file = file});
        listen([](UserId buyer) { return buyer == UserId{7}; });
        intake = ledger->open_intake(clock, ids, {});
    }
    void listen(News::Wants wants) {
        subscription.end();
        subscription = ledger->on_news(
            [this](const News::Edition& edition) {
                for (const auto& each : edition.buyers) {
                    news.push_back(each);
                    heard.push_back(each.buyer.text() + " " + text_of(each));
                }
            },
            std::move(wants));
    }
    static std::string text_of(const BuyerNews& each) {
        if (const auto* order = std::get_if<Order>(&each.what))
            return "order " + std::string(to_string(order->state));
        const auto& ticket = std::get<TicketRecord>(each.what);
        return ticket.state == TicketState::committed ? "ticket ordered" : "ticket refused";
    }
    Ticket make_ticket(std::int64_t buyer, unsigned char mark) {
        Ticket ticket;
        ticket.id = {SaleId{1}, Mark{mark}};
        ticket.pass = Mark{mark};
        ticket.buyer = UserId{buyer};
        ticket.claimed_at = clock.now();
        return ticket;
    }
    OrderIntake::Taken buy(std::int64_t buyer, unsigned char mark = 1) {
        return run_to_end(testing_support::hand_in(*intake, make_ticket(buyer, mark)));
    }
    OrderId bought(std::int64_t buyer) {
        const auto order = buy(buyer, static_cast<unsigned char>(buyer)).record.order.value();
        heard.clear();
        news.clear();
        return order;
    }
    PaymentId begin_payment(OrderId order) {
        Payment draft;
        draft.id = PaymentId{50};
        draft.order = order;
        draft.provider = "bank";
        draft.created_at = clock.now();
        return run_to_end(ledger->payments().begin(draft, UserId{7})).value().id;
    }
    EventOutcome pay(PaymentId payment) {
        PaymentEvent event;
        event.provider = "bank";
        event.id = "event";
        event.type = PaymentEvent::Type::payment_succeeded;
        event.payment = payment;
        event.charge = {ChargeId{60}, "charge", 5, "CNY"};
        return run_to_end(ledger->payments().take(event, clock.now())).value().outcome;
    }
    Order stored(OrderId id) { return run_to_end(ledger->orders().order(id, UserId{7})).value(); }
    /// The last order told, field by field what the ledger has.
    void expect_as_stored(OrderId id) {
        const auto& told = std::get<Order>(news.back().what);
        const auto kept = stored(id);
        EXPECT_EQ(told.id, kept.id);
        EXPECT_EQ(told.ticket, kept.ticket);
        EXPECT_EQ(told.sale_id, kept.sale_id);
        EXPECT_EQ(told.item_id, kept.item_id);
        EXPECT_EQ(told.buyer, kept.buyer);
        EXPECT_EQ(told.quantity, kept.quantity);
        EXPECT_EQ(told.price_cents, kept.price_cents);
        EXPECT_EQ(told.currency, kept.currency);
        EXPECT_EQ(told.state, kept.state);
        EXPECT_EQ(told.created_at, kept.created_at);
        EXPECT_EQ(told.expires_at, kept.expires_at);
        EXPECT_EQ(told.paid_at, kept.paid_at);
    }
};

TEST_F(NewsTest, APurchaseIsATicketAndAnOrder) {
    const auto order = buy(7).record.order.value();
    EXPECT_THAT(heard, ElementsAre("7 ticket ordered", "7 order pending"));
    expect_as_stored(order);
}

TEST_F(NewsTest, ARefusalIsATicket) {
    bought(7);
    EXPECT_EQ(buy(7, 2).fate, OrderIntake::Fate::refused);
    EXPECT_THAT(heard, ElementsAre("7 ticket refused"));
}

TEST_F(NewsTest, ARepeatedPurchaseIsNoNews) {
    bought(7);
    buy(7, 7);
    EXPECT_THAT(heard, IsEmpty());
}

TEST_F(NewsTest, OnlyOfThoseWhoAreWanted) {
    for (int buyer = 7; buyer <= 9; ++buyer) buy(buyer, static_cast<unsigned char>(buyer));
    EXPECT_THAT(heard, ElementsAre("7 ticket ordered", "7 order pending"));
    heard.clear();
    clock.move(900s);
    run_to_end(ledger->orders().expire(clock.now(), 100, {}));
    EXPECT_THAT(heard, ElementsAre("7 order expired"));
}

TEST_F(NewsTest, OfNobodyUnlessSomebodyAsks) {
    listen({});
    buy(7);
    EXPECT_THAT(heard, IsEmpty());
}

TEST_F(NewsTest, EveryWayBack) {
    const auto cancelled = bought(7);
    ASSERT_TRUE(run_to_end(ledger->orders().cancel(cancelled, UserId{7}, clock.now())));
    EXPECT_THAT(heard, ElementsAre("7 order cancelled"));
    expect_as_stored(cancelled);
    ASSERT_TRUE(run_to_end(ledger->orders().cancel(cancelled, UserId{7}, clock.now())));
    EXPECT_EQ(heard.size(), 1U) << "once";
}

TEST_F(NewsTest, MoneyAndItsReturn) {
    const auto order = bought(7);
    ASSERT_EQ(pay(begin_payment(order)), EventOutcome::captured);
    EXPECT_THAT(heard, ElementsAre("7 order paid"));
    expect_as_stored(order);
    Deed deed;
    deed.id = DeedId{70};
    deed.actor = UserId{1};
    deed.at = clock.now();
    deed.action = "order.refund";
    ASSERT_TRUE(run_to_end(ledger->payments().refund(order, deed)));
    EXPECT_THAT(heard, ElementsAre("7 order paid", "7 order refunded"));
    expect_as_stored(order);
}

TEST_F(NewsTest, MoneyThatComesTooLateIsAnExpiry) {
    const auto order = bought(7);
    const auto payment = begin_payment(order);
    clock.move(900s);
    ASSERT_EQ(pay(payment), EventOutcome::refunded);
    EXPECT_THAT(heard, ElementsAre("7 order expired"));
}

TEST_F(NewsTest, AFencedTicketIsRefusedOnce) {
    run_to_end(ledger->orders().fence({make_ticket(7, 1), make_ticket(8, 2)}));
    run_to_end(ledger->orders().fence({make_ticket(7, 1)}));
    EXPECT_THAT(heard, ElementsAre("7 ticket refused"));
}

TEST_F(NewsTest, WhatIsRolledBackIsNoNews) {
    News slate;
    int editions = 0;
    slate.listen([&](const News::Edition&) { ++editions; }, [](UserId) { return true; });
    slate.note(BuyerNews{UserId{7}, Order{}});
    slate.conclude(false);
    slate.conclude(true);
    EXPECT_EQ(editions, 0);
    slate.note(BuyerNews{UserId{7}, Order{}});
    slate.conclude(true);
    EXPECT_EQ(editions, 1);
}

TEST_F(NewsTest, EachThreadThatWritesHasItsOwnTransaction) {
    News slate;
    std::vector<UserId> told;
    slate.listen([&](const News::Edition& edition) { told.push_back(edition.buyers[0].buyer); },
                 [](UserId) { return true; });
    slate.note(BuyerNews{UserId{7}, Order{}});
    std::thread([&] {
        slate.note(BuyerNews{UserId{8}, Order{}});
        slate.conclude(false);
    }).join();
    EXPECT_THAT(told, IsEmpty());
    slate.conclude(true);
    EXPECT_THAT(told, ElementsAre(UserId{7}));
}

}  // namespace
}  // namespace sluice::sqlite
