#include "app/streams/stream_hub.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Watched = StreamHub::Seat::Watched;

class Listener final : public StreamListener {
  public:
    void hear(const BuyerNews& told) override { news.push_back(std::get<Order>(told.what).id); }
    void hear(SaleId, std::shared_ptr<const std::string> told) override { words.push_back(told); }
    void dismiss(Dismissal why) override { dismissals.push_back(why); }

    /// What is left of the sale, by each message.
    std::vector<std::int64_t> lefts() const {
        std::vector<std::int64_t> all;
        for (const auto& each : words)
            all.push_back(boost::json::parse(*each).at("stock").at("left").to_number<int>());
        return all;
    }
    std::vector<std::string> states() const {
        std::vector<std::string> all;
        for (const auto& each : words)
            all.emplace_back(boost::json::parse(*each).at("state").as_string());
        return all;
    }

    std::vector<OrderId> news;
    std::vector<std::shared_ptr<const std::string>> words;
    std::vector<Dismissal> dismissals;
};

class StreamHubTest : public testing::Test {
  protected:
    testing_support::TestLoop loops[2];
    testing_support::EmptyCatalogLedger ledger;
    testing_support::ManualClock clock;
    Catalog catalog{ledger};
    StreamHub hub{catalog,
                  clock,
                  std::vector<Executor*>{&loops[0], &loops[1]},
                  {.all = 1'005,
                   .per_user = 2,
                   .per_address = 3,
                   .watched = 2,
                   .exempts = [](const Address& address) {
                       return Network::parse("10.0.0.0/8")->contains(address);
                   }}};
    Listener listeners[3];

    void SetUp() override {
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        for (int id = 1; id <= 3; ++id) put(id, 5);
    }
    Sale put(std::int64_t id, std::int64_t left) {
        Sale sale;
        sale.id = SaleId{id};
        sale.item_id = ItemId{1};
        sale.currency = "CNY";
        sale.starts_at = clock.now() - 1min;
        sale.stock = {.total = 5, .left = left, .held = 5 - left, .sold = 0};
        catalog.put(sale);
        catalog.put_news(sale);
        return sale;
    }
    auto admit(std::int64_t buyer, const char* address = "192.0.2.1", unsigned loop = 0) {
        return hub.admit({SessionKey{}, UserId{buyer}, *Address::parse(address)}, loop);
    }
    /// A seat on that loop with that listener.
    std::unique_ptr<StreamHub::Seat> seat(std::int64_t buyer, Listener& listener,
                                          unsigned loop = 0) {
        return std::make_unique<StreamHub::Seat>(admit(buyer, "10.0.0.1", loop).value(), listener);
    }
    static BuyerNews order(std::int64_t id, std::int64_t buyer) {
        Order order;
        order.id = OrderId{id};
        return {UserId{buyer}, order};
    }
    void tell(std::vector<BuyerNews> news) {
        hub.tell(news);
        poll();
    }
    void look() {
        run_to_end(hub.send_changed_sales());
        poll();
    }
    void poll() {
        for (auto& loop : loops) {
            loop.poll();
        }
    }
};

TEST_F(StreamHubTest, TellsEachStreamOfItsBuyerInOrder) {
    const auto a = seat(7, listeners[0]), b = seat(7, listeners[1], 1), c = seat(8, listeners[2]);
    tell({order(1, 7), order(2, 8), order(3, 7), order(4, 9)});
    EXPECT_THAT(listeners[0].news, ElementsAre(OrderId{1}, OrderId{3}));
    EXPECT_THAT(listeners[1].news, ElementsAre(OrderId{1}, OrderId{3}));
    EXPECT_THAT(listeners[2].news, ElementsAre(OrderId{2}));
}

TEST_F(StreamHubTest, WantsOnlyThoseWhoListen) {
    EXPECT_FALSE(hub.may_want(UserId{7}));
    auto reservation = admit(7).value();
    EXPECT_FALSE(hub.may_want(UserId{7})) << "nobody listens yet";
    auto seat = std::make_unique<StreamHub::Seat>(std::move(reservation), listeners[0]);
    EXPECT_TRUE(hub.may_want(UserId{7}));
    seat.reset();
    EXPECT_FALSE(hub.may_want(UserId{7}));
    tell({order(1, 7)});
    EXPECT_THAT(listeners[0].news, IsEmpty());
}

TEST_F(StreamHubTest, NewsOnItsWayToWhoeverHasLeftIsDropped) {
    auto left = seat(7, listeners[0]);
    const auto stays = seat(8, listeners[1]);
    hub.tell(std::vector{order(1, 7), order(2, 8)});
    left.reset();
    poll();
    EXPECT_THAT(listeners[0].news, IsEmpty());
    EXPECT_THAT(listeners[1].news, ElementsAre(OrderId{2}));
}

TEST_F(StreamHubTest, TellsOfASaleAtOnceAndThenOnlyOfChanges) {
    const auto watcher = seat(7, listeners[0]);
    EXPECT_EQ(watcher->watch(SaleId{1}), Watched::yes);
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5));
    clock.move(1s);
    look();
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5)) << "only the time has changed";
    put(1, 4);
    put(2, 1);
    look();
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5, 4));
}

TEST_F(StreamHubTest, ARushBetweenTwoLooksIsOneMessage) {
    const auto watcher = seat(7, listeners[0]);
    watcher->watch(SaleId{1});
    for (int left = 4; left >= 0; --left) put(1, left);
    look();
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5, 0));
    put(1, 1);
    put(1, 0);
    look();
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5, 0)) << "what came and went is no news";
}

TEST_F(StreamHubTest, AllWatchersShareTheSameWords) {
    const auto a = seat(7, listeners[0]), b = seat(8, listeners[1]), c = seat(9, listeners[2], 1);
    for (const auto& each : {&a, &b, &c}) (*each)->watch(SaleId{1});
    put(1, 4);
    look();
    for (const auto& listener : listeners) ASSERT_EQ(listener.words.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(listeners[0].words[i], listeners[1].words[i]) << "the same, not merely equal";
        EXPECT_EQ(listeners[0].words[i], listeners[2].words[i]);
    }
}

TEST_F(StreamHubTest, ACrowdIsToldInTurns) {
    std::vector<Listener> crowd(1'000);
    std::vector<std::unique_ptr<StreamHub::Seat>> seats;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
        seats.push_back(seat(static_cast<std::int64_t>(i) + 1, crowd[i]));
        seats.back()->watch(SaleId{1});
    }
    put(1, 4);
    run_to_end(hub.send_changed_sales());
    loops[0].run_one();
    const auto told = [&] {
        return std::ranges::count_if(crowd,
                                     [](const auto& each) { return each.words.size() == 2; });
    };
    EXPECT_GT(told(), 0);
    EXPECT_LT(told(), 500) << "others had their turn in between";
    seats.resize(900);
    put(1, 3);
    run_to_end(hub.send_changed_sales());
    poll();
    for (std::size_t i = 0; i < seats.size(); ++i) ASSERT_EQ(crowd[i].lefts().back(), 3);
    for (std::size_t i = 0; i < seats.size(); ++i)
        EXPECT_TRUE(std::ranges::is_sorted(crowd[i].lefts(), std::greater<>{})) << "nothing older";
}

TEST_F(StreamHubTest, NoticesWhatTimeAloneBrings) {
    Sale sale = put(3, 5);
    sale.starts_at = clock.now() + 1s;
    sale.ends_at = clock.now() + 2s;
    sale.version = 2;
    catalog.put(sale);
    const auto watcher = seat(7, listeners[0]);
    watcher->watch(sale.id);
    clock.move(999ms);
    look();
    EXPECT_THAT(listeners[0].states(), ElementsAre("scheduled"));
    clock.move(1ms);
    look();
    clock.move(999ms);
    look();
    EXPECT_THAT(listeners[0].states(), ElementsAre("scheduled", "open"));
    clock.move(1ms);
    look();
    EXPECT_THAT(listeners[0].states(), ElementsAre("scheduled", "open", "ended"));
}

TEST_F(StreamHubTest, WhoeverComesLateHearsNothingOlder) {
    const auto first = seat(7, listeners[0]);
    first->watch(SaleId{1});
    put(1, 4);
    run_to_end(hub.send_changed_sales());  // and its message is still on its way
    const auto late = seat(8, listeners[1]);
    late->watch(SaleId{1});
    poll();
    EXPECT_THAT(listeners[1].lefts(), ElementsAre(4));
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5, 4));
}

TEST_F(StreamHubTest, NorWhenTheBoardWasTakenDownMeanwhile) {
    auto first = seat(7, listeners[0]);
    first->watch(SaleId{1});
    put(1, 4);
    run_to_end(hub.send_changed_sales());
    first.reset();
    put(1, 3);
    const auto late = seat(8, listeners[1]);
    late->watch(SaleId{1});
    poll();
    EXPECT_THAT(listeners[1].lefts(), ElementsAre(3));
    put(1, 2);
    look();
    EXPECT_THAT(listeners[1].lefts(), ElementsAre(3, 2));
}

TEST_F(StreamHubTest, UnwatchedIsNotHeardOf) {
    const auto watcher = seat(7, listeners[0]);
    watcher->watch(SaleId{1});
    watcher->unwatch(SaleId{1});
    watcher->unwatch(SaleId{1});
    watcher->unwatch(SaleId{9});
    put(1, 4);
    look();
    EXPECT_THAT(listeners[0].lefts(), ElementsAre(5));
}

TEST_F(StreamHubTest, WatchesABoundedNumberOfSalesThatExist) {
    const auto watcher = seat(7, listeners[0]);
    EXPECT_EQ(watcher->watch(SaleId{99}), Watched::no_such_sale);
    EXPECT_EQ(watcher->watch(SaleId{1}), Watched::yes);
    EXPECT_EQ(watcher->watch(SaleId{2}), Watched::yes);
    EXPECT_EQ(watcher->watch(SaleId{3}), Watched::too_many);
    EXPECT_EQ(watcher->watch(SaleId{2}), Watched::yes) << "watched before";
    EXPECT_EQ(listeners[0].words.size(), 3U) << "and told again";
    watcher->unwatch(SaleId{1});
    EXPECT_EQ(watcher->watch(SaleId{3}), Watched::yes);
}

TEST_F(StreamHubTest, BoundsTheStreamsOfOneUser) {
    std::optional<StreamHub::Reservation> one(admit(7).value()), two(admit(7).value());
    EXPECT_EQ(admit(7).error(), StreamHub::Full::of_user);
    EXPECT_TRUE(admit(8));
    one.reset();
    EXPECT_TRUE(admit(7));
}

TEST_F(StreamHubTest, BoundsAllOfThem) {
    std::vector<StreamHub::Reservation> reservations;
    for (int buyer = 1; buyer <= 1'005; ++buyer)
        reservations.push_back(admit(buyer, "10.0.0.1").value());
    EXPECT_EQ(admit(2'000, "10.0.0.1").error(), StreamHub::Full::of_all);
    reservations.pop_back();
    EXPECT_TRUE(admit(2'000, "10.0.0.1"));
}

TEST_F(StreamHubTest, BoundsTheStreamsOfOneHousehold) {
    std::vector<StreamHub::Reservation> reservations;
    for (const char* address : {"2001:db8::1", "2001:db8::2", "2001:db8::ffff"})
        reservations.push_back(
            admit(static_cast<std::int64_t>(reservations.size()) + 1, address).value());
    EXPECT_EQ(admit(9, "2001:db8::3").error(), StreamHub::Full::of_address);
    EXPECT_TRUE(admit(9, "2001:db8:0:1::3"));
    reservations.pop_back();
    EXPECT_TRUE(admit(9, "2001:db8::3"));
}

TEST_F(StreamHubTest, ASiteOfIPv6HasRoomForTwoHouseholds) {
    std::vector<StreamHub::Reservation> held;
    for (int i = 0; i < 6; ++i) {
        const auto address = "2001:db8:0:" + std::to_string(i) + "::1";
        held.push_back(admit(10 + i, address.c_str()).value());
    }
    EXPECT_EQ(admit(9, "2001:db8:0:9::1").error(), StreamHub::Full::of_address);
    EXPECT_TRUE(admit(9, "2001:db8:1::1")) << "another /48";
    held.pop_back();
    EXPECT_TRUE(admit(9, "2001:db8:0:9::1"));
}

TEST_F(StreamHubTest, DismissesByNumber) {
    const auto a = seat(7, listeners[0]), b = seat(8, listeners[1], 1);
    for (const auto& each : hub.present())
        if (each.guest.buyer == UserId{8}) hub.dismiss(each.number, Dismissal::blocked);
    hub.dismiss(99, Dismissal::blocked);
    poll();
    EXPECT_THAT(listeners[0].dismissals, IsEmpty());
    EXPECT_THAT(listeners[1].dismissals, ElementsAre(Dismissal::blocked));
    EXPECT_EQ(hub.present().size(), 2U) << "it is for the stream to leave";
}

}  // namespace
}  // namespace sluice
