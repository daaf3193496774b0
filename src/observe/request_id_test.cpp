#include "observe/request_id.hpp"

#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

std::string next_of(RequestIds& ids) {
    std::array<char, kRequestIdLength> id;
    ids.next(id);
    return {id.data(), id.size()};
}

TEST(RequestIds, NeverRepeatsInAThread) {
    RequestIds ids(~std::uint64_t{0} - 1000);  // past the end of the count, too
    std::set<std::string> seen;
    for (int i = 0; i < 20'000; ++i) {
        const auto id = next_of(ids);
        ASSERT_EQ(id.find_first_not_of("0123456789abcdef"), id.npos);
        ASSERT_TRUE(acceptable_request_id(id));
        ASSERT_TRUE(seen.insert(id).second);
    }
}

TEST(RequestIds, FollowsItsSeed) {
    RequestIds a(1), same(1), other(2);
    const auto first = next_of(a);
    EXPECT_EQ(first, next_of(same));
    EXPECT_NE(first, next_of(other));
}

TEST(RequestId, OfAClientIsPlainAndShort) {
    for (const auto& id : {std::string("a"), std::string("A-z_0.9"), std::string(64, 'x')})
        EXPECT_TRUE(acceptable_request_id(id)) << id;
    for (const auto& id : {std::string(), std::string(65, 'x'), std::string("a b"),
                           std::string("a\n"), std::string("a\0", 2), std::string("é"),
                           std::string("a\"b"), std::string("a/b"), std::string("a@b")})
        EXPECT_FALSE(acceptable_request_id(id)) << id;
}

}  // namespace
}  // namespace sluice
