#include "base/public_address.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

bool is_public_text(const char* text) {
    return is_public(Address::parse(text).value());
}

TEST(PublicAddress, KnowsWhatIsInside) {
    for (const auto* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "100.64.0.1",
                             "100.100.100.200",
                             "127.0.0.1",
                             "127.255.255.255",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.192",
                             "192.0.2.1",
                             "192.168.1.1",
                             "198.18.0.1",
                             "198.51.100.1",
                             "203.0.113.1",
                             "224.0.0.1",
                             "239.1.1.1",
                             "240.0.0.1",
                             "255.255.255.255",
                             "168.63.129.16",
                             "::",
                             "::1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::ffff:169.254.169.254",
                             "::7f00:1",
                             "64:ff9b::7f00:1",
                             "100::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::1",
                             "3fff::1",
                             "fc00::1",
                             "fd00:ec2::254",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1"})
        EXPECT_FALSE(is_public_text(text)) << text;
}

TEST(PublicAddress, LetsTheRestThrough) {
    for (const auto* text :
         {"1.1.1.1", "9.255.255.255", "100.63.255.255", "100.128.0.0", "172.32.0.0",
          "168.63.129.17", "223.255.255.255", "::ffff:8.8.8.8", "2606:4700:4700::1111", "2a00::1"})
        EXPECT_TRUE(is_public_text(text)) << text;
}

TEST(PublicAddress, IsReachableWhenItIsAllowed) {
    const std::vector allowed{Network::parse("10.1.0.0/16").value()};
    EXPECT_TRUE(is_reachable(Address::parse("10.1.2.3").value(), allowed));
    EXPECT_FALSE(is_reachable(Address::parse("10.2.2.3").value(), allowed));
    EXPECT_TRUE(is_reachable(Address::parse("8.8.8.8").value(), allowed));
}

}  // namespace
}  // namespace sluice
