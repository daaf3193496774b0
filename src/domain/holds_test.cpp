#include "domain/holds.hpp"

#include <gmock/gmock.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Age = HoldsOfSale::Age;

class HoldsTallyTest : public testing::Test {
  protected:
    const Timestamp now = from_millis(1'800'000'000'000);
    HoldsTally tally{now};

    HoldsTally::Bought bought(std::int64_t buyer, const char* from) {
        HoldsTally::Bought order{.buyer = UserId{buyer}, .order = OrderId{++orders}};
        if (*from) order.network = household_of(*Address::parse(from));
        return order;
    }
    void hold(std::int64_t buyer, std::chrono::milliseconds age, std::int64_t units = 1,
              const char* from = "") {
        tally.add_pending(bought(buyer, from), units, now - age, now + 1ms);
    }
    void lapse(std::int64_t buyer, int times = 1, const char* from = "") {
        for (int i = 0; i < times; ++i) tally.add_lapse(bought(buyer, from));
    }
    /// Of orders without a network.
    void live(std::int64_t buyer, const char* address) {
        tally.set_network(UserId{buyer}, household_of(*Address::parse(address)));
    }
    std::string network_of(std::int64_t buyer) const {
        for (const auto& row : tally.finish().buyers)
            if (row.id == UserId{buyer}) return row.network ? row.network->text() : "unknown";
        return "not listed";
    }
    std::vector<std::int64_t> buyers() const {
        std::vector<std::int64_t> ids;
        for (const auto& row : tally.finish().buyers) ids.push_back(row.id.value);
        return ids;
    }
    std::vector<std::string> networks() const {
        std::vector<std::string> texts;
        for (const auto& row : tally.finish().networks) texts.push_back(row.network.text());
        return texts;
    }

  private:
    std::int64_t orders = 0;
};

TEST_F(HoldsTallyTest, AgesAreWholeMinutes) {
    hold(1, 0ms);
    hold(2, 59'999ms, 2);
    hold(3, 60'000ms);
    hold(4, 10min, 3);
    hold(5, -5s);
    EXPECT_THAT(tally.finish().ages, ElementsAre(Age{0, {3, 4}}, Age{1, {1, 1}}, Age{10, {1, 3}}));
}

TEST_F(HoldsTallyTest, AnOrderIsPendingUntilTheInstantItIsDue) {
    tally.add_pending(bought(1, ""), 2, now - 5min, now);
    EXPECT_THAT(tally.finish().ages, IsEmpty());
    EXPECT_THAT(tally.strays(), IsEmpty());
    tally.add_pending(bought(1, ""), 2, now - 5min, now + 1ms);
    EXPECT_THAT(tally.finish().ages, ElementsAre(Age{5, {1, 2}}));
}

TEST_F(HoldsTallyTest, BuyersWithTheMostLapsesComeFirst) {
    lapse(1);
    lapse(2, 3);
    lapse(3);
    hold(3, 0ms, 2);
    lapse(4);
    hold(5, 0ms, 9);
    EXPECT_THAT(buyers(), ElementsAre(2, 3, 1, 4, 5)) << "units alone come after any lapse";
    const auto second = tally.finish().buyers.at(1);
    EXPECT_EQ(second.lapses, 1);
    EXPECT_EQ(second.pending, (Held{1, 2}));
    EXPECT_FALSE(second.network);
}

TEST_F(HoldsTallyTest, BeforeAnythingLapsesThoseWhoHoldTheMostComeFirst) {
    hold(1, 0ms);
    live(1, "203.0.113.7");
    hold(2, 0ms, 2);
    live(2, "203.0.113.8");
    hold(3, 0ms);
    hold(3, 0ms, 2);
    live(3, "203.0.113.7");
    live(4, "203.0.113.9");
    EXPECT_THAT(buyers(), ElementsAre(3, 2, 1)) << "nobody who has neither";
    EXPECT_THAT(networks(), ElementsAre("203.0.113.7/32", "203.0.113.8/32"));
    const auto first = tally.finish().networks.at(0);
    EXPECT_EQ(first.lapses, 0);
    EXPECT_EQ(first.pending, (Held{3, 4}));
}

TEST_F(HoldsTallyTest, ANetworkCountsAllItsBuyers) {
    lapse(1, 2);
    live(1, "203.0.113.7");
    hold(2, 0ms, 3);
    live(2, "203.0.113.7");
    lapse(3, 3);
    live(3, "2001:db8::1");
    lapse(4);
    live(4, "2001:db8::ffff");
    lapse(5);
    hold(6, 0ms);
    live(6, "203.0.113.8");
    EXPECT_THAT(networks(), ElementsAre("2001:db8::/64", "203.0.113.7/32", "203.0.113.8/32"))
        << "not what is unknown";
    const auto office = tally.finish().networks.at(1);
    EXPECT_EQ(office.buyers, 2);
    EXPECT_EQ(office.lapses, 2);
    EXPECT_EQ(office.pending, (Held{1, 3}));
}

TEST_F(HoldsTallyTest, EachOrderCountsWhereItWasBought) {
    const char* const home = "203.0.113.7";
    const char* const office = "198.51.100.1";
    lapse(1, 3, home);
    hold(1, 0ms, 2, office);
    lapse(2, 1, office);
    hold(3, 0ms, 1, home);
    EXPECT_THAT(tally.strays(), IsEmpty());
    EXPECT_THAT(networks(), ElementsAre("203.0.113.7/32", "198.51.100.1/32"));
    const auto rows = tally.finish().networks;
    EXPECT_EQ(rows[0].buyers, 2);
    EXPECT_EQ(rows[0].lapses, 3) << "not on the office from which they bought later";
    EXPECT_EQ(rows[0].pending, (Held{1, 1}));
    EXPECT_EQ(rows[1].buyers, 2);
    EXPECT_EQ(rows[1].lapses, 1);
    EXPECT_EQ(rows[1].pending, (Held{1, 2}));
    EXPECT_EQ(network_of(1), "198.51.100.1/32") << "of the latest order";
    tally.add_lapse(
        {.buyer = UserId{1}, .order = OrderId{1}, .network = household_of(*Address::parse(home))});
    EXPECT_EQ(network_of(1), "198.51.100.1/32") << "in whatever order they are added";
}

TEST_F(HoldsTallyTest, OrdersOfAnUnknownNetworkAreCountedWhereTheBuyerIs) {
    lapse(1, 2);
    lapse(1, 1, "203.0.113.7");
    lapse(2);
    EXPECT_THAT(tally.strays(), UnorderedElementsAre(UserId{1}, UserId{2}));
    live(1, "203.0.113.7");
    EXPECT_THAT(tally.strays(), ElementsAre(UserId{2}));
    live(2, "203.0.113.8");
    const auto rows = tally.finish().networks;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].lapses, 3);
    EXPECT_EQ(rows[0].buyers, 1);
    EXPECT_EQ(network_of(2), "203.0.113.8/32");
}

TEST_F(HoldsTallyTest, NoMoreThanTheWorst) {
    for (int i = 1; i <= 60; ++i) {
        lapse(i, i);
        live(i, ("10.0.0." + std::to_string(i)).c_str());
    }
    const auto holds = tally.finish();
    ASSERT_EQ(holds.buyers.size(), kMostHoldRows);
    EXPECT_EQ(holds.buyers.front().id, UserId{60});
    EXPECT_EQ(holds.buyers.back().id, UserId{11});
    ASSERT_EQ(holds.networks.size(), kMostHoldRows);
    EXPECT_EQ(holds.networks.front().network.text(), "10.0.0.60/32");
}

}  // namespace
}  // namespace sluice
