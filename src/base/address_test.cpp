#include "base/address.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Address, HasOneFormForBothFamilies) {
    EXPECT_EQ(Address::parse("127.0.0.1"), Address::parse("::ffff:127.0.0.1"));
    EXPECT_EQ(Address::parse("127.0.0.1")->text(), "127.0.0.1");
    EXPECT_EQ(Address::parse("2001:DB8::1")->text(), "2001:db8::1");
    for (const char* text : {"", "localhost", "127.1", "1.2.3.4.5", "::g", "127.0.0.1 "})
        EXPECT_FALSE(Address::parse(text)) << text;
}

TEST(Network, ContainsUpToItsLastAddress) {
    const auto network = Network::parse("10.1.0.0/15");
    ASSERT_TRUE(network);
    EXPECT_TRUE(network->contains(*Address::parse("10.0.0.0")));
    EXPECT_TRUE(network->contains(*Address::parse("10.1.255.255")));
    EXPECT_FALSE(network->contains(*Address::parse("10.2.0.0")));
    EXPECT_FALSE(network->contains(*Address::parse("2001:db8::")));
    EXPECT_TRUE(Network::parse("2001:db8::/33")->contains(*Address::parse("2001:db8:7fff::1")));
    EXPECT_FALSE(Network::parse("2001:db8::/33")->contains(*Address::parse("2001:db8:8000::1")));
}

TEST(Network, HasOneCanonicalForm) {
    for (const auto& [text, canonical] : {std::pair{"10.1.2.3/8", "10.0.0.0/8"},
                                          {"10.1.2.255/25", "10.1.2.128/25"},
                                          {"10.1.2.3", "10.1.2.3/32"},
                                          {"2001:db8:1:2:3::4/64", "2001:db8:1:2::/64"},
                                          {"2001:db8:ffff::/33", "2001:db8:8000::/33"}})
        EXPECT_EQ(Network::parse(text)->canonical().text(), canonical);
}

TEST(Network, AHouseholdIsAnAddressOrA64) {
    const auto home = [](const char* text) { return household_of(*Address::parse(text)); };
    EXPECT_EQ(home("2001:db8::1"), home("2001:db8::ffff:1"));
    EXPECT_NE(home("2001:db8::1"), home("2001:db8:0:1::1"));
    EXPECT_NE(home("203.0.113.1"), home("203.0.113.2"));
}

TEST(Network, ASiteIsAnAddressOrA48) {
    const auto site = [](const char* text) { return site_of(*Address::parse(text)); };
    EXPECT_EQ(site("2001:db8::1"), site("2001:db8:0:ffff::1"));
    EXPECT_NE(site("2001:db8::1"), site("2001:db8:1::1"));
    EXPECT_EQ(site("203.0.113.1"), household_of(*Address::parse("203.0.113.1")));
}

TEST(Address, KnowsThisMachine) {
    for (const char* text : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"})
        EXPECT_TRUE(is_loopback(*Address::parse(text))) << text;
    for (const char* text : {"128.0.0.1", "10.0.0.1", "::2", "::", "0.0.0.0", "fe80::1"})
        EXPECT_FALSE(is_loopback(*Address::parse(text))) << text;
}

TEST(Network, RefusesWhatIsNone) {
    for (const char* text :
         {"", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "::/129"})
        EXPECT_FALSE(Network::parse(text)) << text;
}

}  // namespace
}  // namespace sluice
