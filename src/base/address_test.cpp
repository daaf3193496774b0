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

TEST(Network, RefusesWhatIsNone) {
    for (const char* text :
         {"", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "::/129"})
        EXPECT_FALSE(Network::parse(text)) << text;
}

}  // namespace
}  // namespace sluice
