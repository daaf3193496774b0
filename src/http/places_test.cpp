#include "http/places.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

using namespace std::chrono_literals;

Address at(const char* text) {
    return *Address::parse(text);
}

class PlacesTest : public testing::Test {
  protected:
    Seat::Instant now = std::chrono::steady_clock::now();
    Places places{{.all = 10, .of_network = 4}};

    std::shared_ptr<Seat> take(const char* whose) {
        return places.take(at(whose), nullptr).value();
    }
    /// A connection that has done this for so long.
    std::shared_ptr<Seat> slow(const char* whose, Doing doing, std::chrono::milliseconds since) {
        auto seat = take(whose);
        seat->note(doing, now - since);
        return seat;
    }
    bool is_full(const char* whose, Places::Full why) {
        const auto seat = places.take(at(whose), nullptr);
        return !seat && seat.error() == why;
    }
    std::vector<std::shared_ptr<Seat>> spare(std::vector<Places::Want> wants) {
        return places.spare(wants, now);
    }
    const Places::Want newcomer{Places::Full::all, at("198.51.100.1")};
};

TEST_F(PlacesTest, OneNetworkHasItsShareAndOthersHaveTheRest) {
    for (int i = 0; i < 4; ++i) take("192.0.2.1");
    EXPECT_TRUE(is_full("192.0.2.1", Places::Full::network));
    for (const char* other :
         {"192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6", "::1"})
        take(other);
    EXPECT_TRUE(is_full("192.0.2.7", Places::Full::all));
    EXPECT_TRUE(places.crowded());
}

TEST_F(PlacesTest, AnIpv6NetworkIsCountedByItsHouseholdAndItsSite) {
    for (int i = 0; i < 4; ++i) take("2001:db8::1");
    EXPECT_TRUE(is_full("2001:db8::ffff:1", Places::Full::network)) << "the same /64";
    for (const char* other :
         {"2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1", "2001:db8:0:4::1"})
        take(other);
    EXPECT_TRUE(is_full("2001:db8:0:5::1", Places::Full::network)) << "the /48 has twice as many";
    take("2001:db8:1::1");
}

TEST_F(PlacesTest, WhoeverLeavesMakesRoomForTheirNetwork) {
    std::vector<std::shared_ptr<Seat>> seats;
    for (int i = 0; i < 4; ++i) seats.push_back(take("2001:db8::1"));
    places.leave(*seats.back());
    EXPECT_EQ(places.taken(), 3u);
    take("2001:db8::2");
    EXPECT_TRUE(is_full("2001:db8::3", Places::Full::network));
}

TEST_F(PlacesTest, SomebodyMayBeSlowSinceBeforeTheMachineStarted) {
    // Tests and virtual machines: the steady clock began a moment ago.
    now = Seat::Instant{1s};
    slow("192.0.2.1", Doing::sending_body, 2s);
    const auto slowest = slow("192.0.2.2", Doing::sending_body, 1h);
    EXPECT_EQ(spare({newcomer}), std::vector{slowest});
}

TEST_F(PlacesTest, NobodyIsAskedToLeaveBeforeTheirTime) {
    const auto working = slow("192.0.2.1", Doing::working, 1h);
    slow("192.0.2.2", Doing::sending_body, 900ms);
    slow("192.0.2.3", Doing::idle, 900ms);
    EXPECT_TRUE(spare({newcomer}).empty());
    const auto gone = slow("192.0.2.4", Doing::lingering, 600ms);
    EXPECT_EQ(spare({newcomer}), std::vector{gone});
}

TEST_F(PlacesTest, FirstThoseLeaveWhomItCostsNothingThenTheLargestNetworkThenTheSlowest) {
    const auto alone = slow("192.0.2.9", Doing::sending_body, 20s);
    const auto one = slow("192.0.2.1", Doing::sending_body, 3s);
    const auto two = slow("192.0.2.1", Doing::sending_head, 5s);
    const auto idle = slow("192.0.2.8", Doing::idle, 2s);
    EXPECT_EQ(spare({newcomer, newcomer, newcomer, newcomer, newcomer}),
              (std::vector{idle, two, one, alone}));
}

TEST_F(PlacesTest, NoMoreThanNeededAndNobodyTwice) {
    const auto first = slow("192.0.2.1", Doing::idle, 3s);
    const auto second = slow("192.0.2.1", Doing::idle, 2s);
    EXPECT_EQ(spare({newcomer}), std::vector{first});
    EXPECT_TRUE(spare({newcomer}).empty()) << "its place comes free in a moment";
    EXPECT_EQ(spare({newcomer, newcomer}), std::vector{second});
    first->note(Doing::working, now);
    first->stay();
    EXPECT_TRUE(spare({newcomer}).empty());
    EXPECT_EQ(places.asked_to_leave(), 2u);
}

TEST_F(PlacesTest, AFullNetworkMakesRoomAmongItsOwn) {
    const auto other = slow("198.51.100.7", Doing::idle, 1h);
    std::shared_ptr<Seat> own;
    for (int i = 0; i < 4; ++i) own = slow("192.0.2.1", Doing::sending_body, 2s);
    own->note(Doing::sending_body, now - 9s);
    const Places::Want neighbour{Places::Full::network, at("192.0.2.1")};
    EXPECT_EQ(spare({neighbour}), std::vector{own});
}

TEST_F(PlacesTest, AFullHouseholdMakesRoomInTheHouseholdAndAFullSiteAnywhereInIt) {
    const auto neighbour = slow("2001:db8:0:1::1", Doing::idle, 9s);
    std::shared_ptr<Seat> own;
    for (int i = 0; i < 4; ++i) own = slow("2001:db8::1", Doing::idle, 2s);
    own->note(Doing::idle, now - 3s);
    EXPECT_EQ(spare({{Places::Full::network, at("2001:db8::2")}}), std::vector{own});
    for (const char* other : {"2001:db8:0:2::1", "2001:db8:0:3::1", "2001:db8:0:4::1"}) take(other);
    EXPECT_EQ(spare({{Places::Full::network, at("2001:db8:0:9::1")}}), std::vector{neighbour});
}

TEST_F(PlacesTest, AProxysConnectionCountsForTheClientThatItWaitsFor) {
    const auto proxied = [this] { return places.take(std::nullopt, nullptr).value(); };
    const auto client = at("192.0.2.1");
    std::vector<std::shared_ptr<Seat>> seats;
    for (int i = 0; i < 6; ++i) seats.push_back(proxied());
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(places.lend(*seats[i], client, now).granted);
    EXPECT_FALSE(places.lend(*seats[4], client, now).granted) << "none of the four is slow yet";
    EXPECT_TRUE(places.lend(*seats[4], at("192.0.2.2"), now).granted);

    seats[2]->note(Doing::sending_body, now - 2s);
    const auto loan = places.lend(*seats[5], client, now);
    EXPECT_TRUE(loan.granted);
    EXPECT_EQ(loan.to_leave, seats[2]);

    for (const auto& seat : seats) places.give_back(*seat);
    EXPECT_TRUE(places.lend(*seats[4], client, now).granted);
    for (const auto& seat : seats) places.leave(*seat);
    EXPECT_EQ(places.taken(), 0u);
}

TEST_F(PlacesTest, ALoanIsMadeRoomForByWhoIsMissedLeastAmongTheClientsOwn) {
    slow("198.51.100.7", Doing::lingering, 1h);
    slow("192.0.2.1", Doing::sending_body, 20s);
    slow("192.0.2.1", Doing::idle, 2s);
    const auto longest = slow("192.0.2.1", Doing::idle, 3s);
    slow("192.0.2.1", Doing::working, 1h);
    const auto proxied = places.take(std::nullopt, nullptr).value();
    EXPECT_EQ(places.lend(*proxied, at("192.0.2.1"), now).to_leave, longest);
    places.give_back(*proxied);
    EXPECT_NE(places.lend(*proxied, at("192.0.2.1"), now).to_leave, longest) << "nobody twice";
}

TEST_F(PlacesTest, AConnectionOfItsOwnIsNotCountedTwice) {
    const auto direct = take("192.0.2.1");
    EXPECT_TRUE(places.lend(*direct, at("192.0.2.1"), now).granted);
    places.give_back(*direct);
    for (int i = 0; i < 3; ++i) take("192.0.2.1");
    EXPECT_TRUE(is_full("192.0.2.1", Places::Full::network));
}

}  // namespace
}  // namespace sluice::http
