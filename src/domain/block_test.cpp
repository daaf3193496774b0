#include "domain/block.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Block, HasOneFormForEachSubject) {
    for (const auto& [text, canonical] : {std::pair{"123456789012", "123456789012"},
                                          {"203.0.113.7", "203.0.113.7"},
                                          {"203.0.113.7/32", "203.0.113.7"},
                                          {"203.0.113.7/24", "203.0.113.0/24"},
                                          {"10.0.0.0/8", "10.0.0.0/8"},
                                          {"::ffff:203.0.113.7", "203.0.113.7"},
                                          {"2001:db8::7", "2001:db8::/64"},
                                          {"2001:db8:0:1::/48", "2001:db8::/48"},
                                          {"2001:DB8::/64", "2001:db8::/64"}}) {
        const auto subject = parse_block_subject(text);
        ASSERT_TRUE(subject) << text;
        EXPECT_EQ(to_string(*subject), canonical);
        EXPECT_EQ(*parse_block_subject(canonical), *subject);
    }
}

TEST(Block, IsNeverAgainstHalfTheWorldNorHalfAHousehold) {
    for (const char* text :
         {"", "0", "-1", "Li", "10.0.0.0/7", "0.0.0.0/0", "::/0", "2000::/15", "2001:db8::/65",
          "2001:db8::7/128", "203.0.113.7/33", "203.0.113", "203.0.113.7 ", "::ffff:0:0/96"})
        EXPECT_FALSE(parse_block_subject(text)) << text;
}

TEST(Block, OfAnIpv6NetworkLeavesIpv4Alone) {
    const auto network = std::get<Network>(*parse_block_subject("::1"));
    EXPECT_TRUE(covers(network, *Address::parse("::1")));
    EXPECT_FALSE(covers(network, *Address::parse("127.0.0.1"))) << "which is ::ffff:127.0.0.1";
}

TEST(Block, EndsAtItsInstant) {
    const auto until = from_millis(1'000);
    const Block block{
        .id = {}, .subject = UserId{1}, .reason = "", .until = until, .at = {}, .by = {}};
    EXPECT_TRUE(block.holds_at(from_millis(999)));
    EXPECT_FALSE(block.holds_at(until));
    EXPECT_TRUE(check_block("", until, from_millis(999)).empty());
    EXPECT_FALSE(check_block("", until, until).empty());
    EXPECT_FALSE(check_block(std::string(201, 'x'), std::nullopt, until).empty());
    EXPECT_FALSE(check_block("a\nb", std::nullopt, until).empty());
}

}  // namespace
}  // namespace sluice
