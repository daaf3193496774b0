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

TEST(Block, IsPutInThePlaceOfTheOneThatWasSeenAndNotBesideTooMany) {
    Block first;
    first.subject = UserId{1};
    auto other = first;
    other.reason = "another";
    const struct {
        const char* what;
        BlockFacts facts;
        std::optional<Block> before;
        std::optional<Refusal> why_not;
    } rows[] = {
        {"the first", {true, std::nullopt, 0}, std::nullopt, std::nullopt},
        {"the last", {true, std::nullopt, kMostBlocks - 1}, std::nullopt, std::nullopt},
        {"one too many",
         {true, std::nullopt, kMostBlocks},
         std::nullopt,
         Refusal{Reason::conflict, Detail::too_many_blocks}},
        {"in the place of one of many", {true, first, kMostBlocks}, first, std::nullopt},
        {"another one is there",
         {true, other, 1},
         first,
         Refusal{Reason::conflict, Detail::changed_meanwhile}},
        {"somebody put one",
         {true, first, 1},
         std::nullopt,
         Refusal{Reason::conflict, Detail::changed_meanwhile}},
        {"somebody removed it",
         {true, std::nullopt, 0},
         first,
         Refusal{Reason::conflict, Detail::changed_meanwhile}},
        {"nobody knows the buyer",
         {false, std::nullopt, 0},
         std::nullopt,
         Refusal{Reason::not_found}},
    };
    for (const auto& [what, facts, before, why_not] : rows) {
        SCOPED_TRACE(what);
        const auto refusal = why_not_put(facts, before);
        ASSERT_EQ(refusal.has_value(), why_not.has_value());
        if (!refusal) continue;
        EXPECT_EQ(refusal->reason, why_not->reason);
        EXPECT_EQ(refusal->detail, why_not->detail);
    }
    EXPECT_FALSE(why_not_removed(first, first));
    EXPECT_EQ(why_not_removed(other, first)->detail, Detail::changed_meanwhile);
    EXPECT_EQ(why_not_removed(std::nullopt, first)->detail, Detail::changed_meanwhile);
}

}  // namespace
}  // namespace sluice
