#include "app/streams/buyer_feed.hpp"

#include <gmock/gmock.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// Keeps what is sent, and delivers what a test makes other nodes send.
class ScriptedSignals final : public BuyerSignals {
  public:
    std::vector<BuyerSignal> sent;
    Listener listener;

    void send(std::vector<BuyerSignal> signals) override {
        sent.insert(sent.end(), signals.begin(), signals.end());
    }
    Subscription listen(Listener given) override {
        listener = std::move(given);
        return Subscription([this] { listener = nullptr; });
    }
};

class Page final : public StreamListener {
  public:
    void hear(const BuyerNews& news) override {
        if (const auto* order = std::get_if<Order>(&news.what))
            heard.push_back(order->id.text() + ' ' + std::string(to_string(order->state)));
        else if (const auto& ticket = std::get<TicketRecord>(news.what); ticket.order)
            heard.push_back("ticket of " + ticket.order->text());
        else
            heard.push_back("ticket");
    }
    void hear(SaleId, std::shared_ptr<const std::string>) override {}
    void dismiss(Dismissal) override {}

    std::vector<std::string> heard;
};

constexpr UserId kBuyer{7};

class BuyerFeedTest : public testing::Test {
  protected:
    testing_support::TestLoop loop;
    testing_support::EmptyCatalogLedger nothing;
    testing_support::ManualClock clock;
    Catalog catalog{nothing};
    testing_support::ScriptedOrders ledger;
    ScriptedSignals signals;
    StreamHub hub{catalog,
                  clock,
                  std::vector<Executor*>{&loop},
                  {.all = 1'000,
                   .per_user = 1'000,
                   .per_address = 1'000,
                   .watched = 2,
                   .exempts = [](const Address&) { return false; }}};
    int wakes = 0;
    BuyerFeed feed{hub, ledger, signals, clock, [this] { ++wakes; }};
    Page page;

    std::unique_ptr<StreamHub::Seat> open(UserId buyer = kBuyer) {
        auto admitted = hub.admit({SessionKey{}, buyer, *Address::parse("192.0.2.1")}, 0);
        return std::make_unique<StreamHub::Seat>(std::move(admitted).value(), page);
    }
    Order order(std::int64_t id, OrderState state = OrderState::pending) const {
        Order order;
        order.id = OrderId{id};
        order.buyer = kBuyer;
        order.state = state;
        order.created_at = clock.now();
        order.expires_at = clock.now() + 15min;
        return order;
    }
    /// In the ledger, as another node has left it.
    void store(Order order) {
        auto& all = ledger.orders_of[order.buyer];
        std::erase_if(all, [&](const Order& each) { return each.id == order.id; });
        all.insert(all.begin(), std::move(order));
    }
    void commit_here(const std::vector<BuyerNews>& news) {
        feed.tell(news);
        loop.poll();
    }
    void signal(std::int64_t order) { signals.listener({{kBuyer, OrderId{order}}}); }
    /// What the page hears by the next look.
    std::vector<std::string> look_after(std::chrono::milliseconds pause) {
        page.heard.clear();
        clock.move(pause);
        run_to_end(feed.look());
        loop.poll();
        return page.heard;
    }
};

TEST_F(BuyerFeedTest, WhatIsCommittedHereIsToldAtOnceAndSignalled) {
    const auto stream = open();
    TicketRecord ticket;
    ticket.order = OrderId{1};
    auto foreign = order(2);
    foreign.buyer = UserId{8};
    commit_here({{kBuyer, ticket}, {kBuyer, order(1)}, {UserId{8}, foreign}});
    EXPECT_THAT(page.heard, ElementsAre("ticket of 1", "1 pending"));
    EXPECT_THAT(signals.sent,
                ElementsAre(BuyerSignal{kBuyer, OrderId{1}}, BuyerSignal{UserId{8}, OrderId{2}}))
        << "also of those who may listen elsewhere";
    store(order(1));
    EXPECT_THAT(look_after(0ms), IsEmpty()) << "they have heard it";
}

TEST_F(BuyerFeedTest, ASignalMakesItAskTheLedger) {
    const auto stream = open();
    store(order(1));
    signal(1);
    EXPECT_EQ(wakes, 1);
    EXPECT_THAT(look_after(5ms), ElementsAre("ticket of 1", "1 pending"));
    store(order(1, OrderState::paid));
    signal(1);
    EXPECT_THAT(look_after(5ms), ElementsAre("1 paid"));
    signal(1);
    EXPECT_THAT(look_after(5ms), IsEmpty()) << "nothing new";
    EXPECT_EQ(feed.told_by_signal(), 2u);
    EXPECT_EQ(feed.found_by_look(), 0u);
}

TEST_F(BuyerFeedTest, ATicketWithoutAnOrderIsAskedForByItself) {
    const auto stream = open();
    TicketRecord refused;
    refused.state = TicketState::rolled_back;
    ledger.looked_up = {refused};
    signals.listener({{kBuyer, TicketId{}}});
    EXPECT_THAT(look_after(5ms), ElementsAre("ticket"));
}

TEST_F(BuyerFeedTest, SignalsOfThoseWhoAreNotHereCostNothing) {
    const auto stream = open(UserId{8});
    run_to_end(feed.look());
    const auto before = ledger.order_lists + ledger.lookups;
    signal(1);
    EXPECT_EQ(wakes, 0);
    look_after(5ms);
    EXPECT_EQ(ledger.order_lists + ledger.lookups, before);
}

TEST_F(BuyerFeedTest, ALostSignalIsHealedByLooking) {
    store(order(1));
    clock.move(1min);
    const auto stream = open();
    EXPECT_THAT(look_after(1s), IsEmpty()) << "a stream has no past";
    store(order(1, OrderState::cancelled));
    store(order(2));
    EXPECT_THAT(look_after(BuyerFeed::kHeal - 1ms), IsEmpty());
    EXPECT_THAT(look_after(1ms), ElementsAre("1 cancelled", "ticket of 2", "2 pending"));
    EXPECT_THAT(look_after(BuyerFeed::kHeal), IsEmpty());
    EXPECT_EQ(feed.found_by_look(), 2u);
}

TEST_F(BuyerFeedTest, WhatHappenedBeforeTheFirstLookIsFound) {
    auto bought = order(1), lapsed = order(2, OrderState::expired),
         paid = order(3, OrderState::paid);
    lapsed.expires_at = clock.now() + 1min + 500ms;
    paid.paid_at = clock.now() + 1min + 500ms;
    clock.move(1min);
    const auto stream = open();
    bought.created_at = clock.now() + 500ms;
    for (const auto& each : {bought, lapsed, paid}) store(each);
    EXPECT_THAT(look_after(1s), ElementsAre("ticket of 1", "1 pending", "2 expired", "3 paid"));
}

TEST_F(BuyerFeedTest, AnOrderNeverGoesBack) {
    const auto stream = open();
    store(order(1));
    look_after(0ms);
    commit_here({{kBuyer, order(1, OrderState::paid)}});
    signal(1);
    EXPECT_THAT(look_after(BuyerFeed::kHeal), IsEmpty()) << "the ledger was read before the commit";
    page.heard.clear();
    commit_here({{kBuyer, order(1, OrderState::paid)}});
    EXPECT_THAT(page.heard, IsEmpty());
    commit_here({{kBuyer, order(1, OrderState::refunded)}});
    EXPECT_THAT(page.heard, ElementsAre("1 refunded"));
}

TEST_F(BuyerFeedTest, LooksAreBoundedAndTakeTurns) {
    std::vector<std::unique_ptr<StreamHub::Seat>> streams;
    for (std::int64_t buyer = 1; buyer <= 250; ++buyer) streams.push_back(open(UserId{buyer}));
    look_after(0ms);
    EXPECT_EQ(ledger.order_lists, 100);
    look_after(BuyerFeed::kRound);
    look_after(BuyerFeed::kRound);
    EXPECT_EQ(ledger.order_lists, 250);
    look_after(BuyerFeed::kRound);
    EXPECT_EQ(ledger.order_lists, 250) << "it is not time yet";
    look_after(BuyerFeed::kHeal);
    EXPECT_EQ(ledger.order_lists, 350);
    streams.clear();
    look_after(BuyerFeed::kHeal);
    EXPECT_EQ(ledger.order_lists, 350) << "nobody is here";
}

TEST_F(BuyerFeedTest, AfterAnOutageOfTheLedgerItGoesOn) {
    const auto stream = open();
    look_after(0ms);
    store(order(1));
    ledger.away = true;
    clock.move(BuyerFeed::kHeal);
    EXPECT_THROW(run_to_end(feed.look()), Outage);
    ledger.away = false;
    EXPECT_THAT(look_after(BuyerFeed::kHeal), ElementsAre("ticket of 1", "1 pending"));
}

}  // namespace
}  // namespace sluice
