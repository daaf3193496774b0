#include "http/places.hpp"

#include <algorithm>
#include <array>

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
        return places.take({at(whose)}, nullptr).value();
    }
    /// A connection that has done this for so long.
    std::shared_ptr<Seat> slow(const char* whose, Doing doing, std::chrono::milliseconds since) {
        auto seat = take(whose);
        seat->note(doing, now - since);
        return seat;
    }
    bool is_full(const char* whose, Places::Full why) {
        const auto seat = places.take({at(whose)}, nullptr);
        return !seat && seat.error() == why;
    }
    std::vector<std::shared_ptr<Seat>> spare(std::vector<Places::Want> wants) {
        return places.spare(wants, now);
    }
    const Places::Want newcomer{Places::Full::all, {at("198.51.100.1")}};
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
    slow("192.0.2.1", Doing::working, 1h);
    slow("192.0.2.5", Doing::streaming, 1h);
    slow("192.0.2.2", Doing::sending_body, 900ms);
    slow("192.0.2.3", Doing::idle, 900ms);
    EXPECT_TRUE(spare({newcomer}).empty());
    const auto gone = slow("192.0.2.4", Doing::lingering, 600ms);
    EXPECT_EQ(spare({newcomer}), std::vector{gone});
    const auto refused = slow("192.0.2.6", Doing::turned_away, 0ms);
    EXPECT_EQ(spare({newcomer, newcomer}), std::vector{refused}) << "at once";
}

TEST_F(PlacesTest, FirstWhoIsAboveTheirShareThenWhomItCostsNothingThenTheLargestNetwork) {
    const auto alone = slow("192.0.2.9", Doing::sending_body, 20s);
    const auto one = slow("192.0.2.1", Doing::sending_body, 3s);
    const auto two = slow("192.0.2.1", Doing::sending_head, 5s);
    const auto idle = slow("192.0.2.8", Doing::idle, 2s);
    EXPECT_EQ(spare({newcomer, newcomer, newcomer, newcomer, newcomer}),
              (std::vector{two, idle, one, alone}))
        << "one of the two is above the fair share of its network";
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
    EXPECT_EQ(places.asked_to_close(), 2u);
}

TEST_F(PlacesTest, AFullNetworkMakesRoomAmongItsOwn) {
    const auto other = slow("198.51.100.7", Doing::idle, 1h);
    std::shared_ptr<Seat> own;
    for (int i = 0; i < 4; ++i) own = slow("192.0.2.1", Doing::sending_body, 2s);
    own->note(Doing::sending_body, now - 9s);
    const Places::Want neighbour{Places::Full::network, {at("192.0.2.1")}};
    EXPECT_EQ(spare({neighbour}), std::vector{own});
}

TEST_F(PlacesTest, AFullHouseholdMakesRoomInTheHouseholdAndAFullSiteAnywhereInIt) {
    const auto neighbour = slow("2001:db8:0:1::1", Doing::idle, 9s);
    std::shared_ptr<Seat> own;
    for (int i = 0; i < 4; ++i) own = slow("2001:db8::1", Doing::idle, 2s);
    own->note(Doing::idle, now - 3s);
    EXPECT_EQ(spare({{Places::Full::network, {at("2001:db8::2")}}}), std::vector{own});
    for (const char* other : {"2001:db8:0:2::1", "2001:db8:0:3::1", "2001:db8:0:4::1"}) take(other);
    EXPECT_EQ(spare({{Places::Full::network, {at("2001:db8:0:9::1")}}}), std::vector{neighbour});
}

TEST_F(PlacesTest, AProxysConnectionCountsForTheClientThatItWaitsFor) {
    const auto proxied = [this] { return places.take({}, nullptr).value(); };
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
    const auto proxied = places.take({}, nullptr).value();
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

/// A full house of three networks, all of whom keep asking.
class CrowdedPlacesTest : public PlacesTest {
  protected:
    std::vector<std::shared_ptr<Seat>> seats;

    void SetUp() override {
        for (const char* network : {"192.0.2.1", "192.0.2.2"})
            for (int i = 0; i < 4; ++i) seats.push_back(slow(network, Doing::idle, 300ms));
        seats.push_back(slow("2001:db8::1", Doing::idle, 300ms));
        seats.push_back(slow("2001:db8::1", Doing::idle, 300ms));
        ASSERT_TRUE(is_full("198.51.100.1", Places::Full::all));
    }
    static Places::Want want(const char* whose) { return {Places::Full::all, {at(whose)}}; }
    /// How many of each network have to leave.
    std::array<std::ptrdiff_t, 3> leaving() const {
        const auto in = [this](int from, int to) {
            return std::count_if(seats.begin() + from, seats.begin() + to,
                                 [](const auto& each) { return each->has_to_leave(); });
        };
        return {in(0, 4), in(4, 8), in(8, 10)};
    }
};

using Leaving = std::array<std::ptrdiff_t, 3>;

TEST_F(CrowdedPlacesTest, NetworksAboveTheirShareMakeRoomThoughTheyKeepAsking) {
    EXPECT_EQ(spare({newcomer}).size(), 1u) << "four networks: two places each";
    EXPECT_EQ(spare({newcomer}).size(), 0u) << "it is on its way out";
    EXPECT_EQ(spare({newcomer, want("198.51.100.2")}).size(), 1u);
    EXPECT_EQ(leaving(), (Leaving{1, 1, 0})) << "the largest first";
}

TEST_F(CrowdedPlacesTest, WhoTakesTheLastAnswerSlowlyIsAskedAgain) {
    const auto asked = spare({newcomer});
    ASSERT_EQ(asked.size(), 1u);
    asked[0]->note(Doing::reading, now - 900ms);
    EXPECT_TRUE(spare({newcomer}).empty());
    asked[0]->note(Doing::reading, now - 1s);
    EXPECT_EQ(spare({newcomer}), asked);
    EXPECT_EQ(places.asked_to_close(), 1u);
}

TEST_F(CrowdedPlacesTest, WhoeverIsBlockedPressesNobodyOut) {
    EXPECT_TRUE(spare({{Places::Full::all, {at("198.51.100.9"), true}}}).empty());
}

TEST_F(CrowdedPlacesTest, NobodyIsPressedBelowTheirShare) {
    for (const auto& each : seats) each->note(Doing::working, now);
    const std::vector<Places::Want> wants(9, newcomer);
    EXPECT_EQ(spare(wants).size(), 4u);
    EXPECT_EQ(leaving(), (Leaving{2, 2, 0}));
}

TEST_F(CrowdedPlacesTest, WhoeverHasTheirShareTakesNoPlaceOfTheBusy) {
    for (int i = 6; i < 8; ++i) places.leave(*seats[i]);
    for (const char* whose : {"2001:db8:0:1::1", "2001:db8:0:2::1"}) slow(whose, Doing::idle, 0ms);
    const auto neighbour = want("2001:db8:0:3::1");
    EXPECT_TRUE(spare({neighbour}).empty()) << "its /48 has four of ten, and there are three";
    seats[4]->note(Doing::idle, now - 1s);
    EXPECT_EQ(spare({neighbour}), std::vector{seats[4]}) << "but that of the idle";
}

TEST_F(CrowdedPlacesTest, AStreamStays) {
    for (const auto& each : seats) each->note(Doing::streaming, now - 1h);
    EXPECT_TRUE(spare({newcomer}).empty());
}

TEST_F(CrowdedPlacesTest, WhoIsBusyForLongIsNotWaitedFor) {
    for (int i = 0; i < 8; ++i) seats[i]->note(Doing::working, now);
    seats[0]->note(Doing::working, now - 1s);
    EXPECT_EQ(spare({newcomer}).size(), 2u) << "one leaves in a moment";
    EXPECT_TRUE(seats[0]->has_to_leave());
}

TEST_F(CrowdedPlacesTest, ASmallNetworkThatIsIdleStaysBeforeALargeOneThatAsks) {
    seats[8]->note(Doing::idle, now - 10s);
    EXPECT_NE(spare({newcomer}), std::vector{seats[8]});
}

TEST_F(CrowdedPlacesTest, AProxyIsLookedThrough) {
    for (const auto& each : seats) places.leave(*each);
    seats.clear();
    for (int i = 0; i < 10; ++i) seats.push_back(places.take({}, nullptr).value());
    const Places::Want proxied{Places::Full::all, {}};
    EXPECT_TRUE(spare({proxied}).empty()) << "nobody knows for whom they work";
    for (int i = 0; i < 10; ++i) seats[i]->note_client({at(i < 8 ? "192.0.2.1" : "192.0.2.2")});
    EXPECT_EQ(spare({proxied}).size(), 1u);
    EXPECT_EQ(leaving(), (Leaving{1, 0, 0}));
}

TEST_F(CrowdedPlacesTest, WhoHasFewPlacesComesFirstInTheLine) {
    const auto proxied = Places::Want{Places::Full::all, {}};
    const auto blocked = Places::Want{Places::Full::blocked, {at("198.51.100.9"), true}};
    EXPECT_EQ(places.line_up(std::vector{blocked, want("192.0.2.1"), want("198.51.100.1"),
                                         want("198.51.100.1"), want("198.51.100.2"), proxied}),
              (std::vector<std::size_t>{2, 4, 5, 3, 1, 0}));
}

TEST_F(PlacesTest, WhoeverIsBlockedHasFewPlacesTogetherAndLeavesFirst) {
    Places some{{.all = 10, .of_network = 4, .of_blocked = 2}};
    const auto blocked = some.take({at("192.0.2.1"), true}, nullptr).value();
    blocked->note(Doing::idle, now);
    EXPECT_TRUE(some.take({at("2001:db8::1"), true}, nullptr));
    EXPECT_EQ(some.take({at("192.0.2.9"), true}, nullptr).error(), Places::Full::blocked);
    EXPECT_TRUE(some.take({at("192.0.2.1")}, nullptr)) << "they do not count for the others";
    EXPECT_TRUE(blocked->is_blocked);
    some.spare(std::vector{newcomer}, now);
    EXPECT_TRUE(blocked->has_to_leave());

    Places none{{.all = 10, .of_network = 4, .of_blocked = 0}};
    EXPECT_EQ(none.take({at("192.0.2.1"), true}, nullptr).error(), Places::Full::blocked);
}

}  // namespace
}  // namespace sluice::http
