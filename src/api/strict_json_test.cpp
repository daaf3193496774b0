#include "api/strict_json.hpp"

#include <string>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace sluice::api {
namespace {

using namespace std::string_literals;

TEST(StrictJson, ReadsJson) {
    const auto value = parse_strict_json(R"( {"a":[1,-2,3.5,"\u65e5",true,null],"b":{"a":{}}} )");
    ASSERT_TRUE(value);
    EXPECT_EQ(boost::json::serialize(*value), R"({"a":[1,-2,3.5E0,"日",true,null],"b":{"a":{}}})");
}

TEST(StrictJson, RefusesEverythingElse) {
    const std::string rows[] = {
        "",
        " ",
        "{",
        "{}}",
        "{} {}",
        "{'a':1}",
        "{\"a\":1,}",
        "[1,]",
        "nul",
        "01",
        "+1",
        "NaN",
        "1e999",  // no double holds it
        "[-1e309]",
        "{\"a\":1,\"a\":2}",                // twice
        "{\"b\":{\"a\":1,\"\\u0061\":2}}",  // twice, spelt otherwise
        "\"\xff\"",
        "\"\xed\xa0\x80\"",  // not UTF-8, a lone surrogate
        "{\"a\":\"\0\"}"s,   // a raw NUL
        "/* c */ {}",
        std::string(100, '[') + std::string(100, ']'),
        std::string(100'000, '['),
    };
    for (const auto& row : rows) EXPECT_FALSE(parse_strict_json(row)) << row.substr(0, 40);
}

TEST(StrictJson, TheSameKeyInDifferentObjectsIsFine) {
    EXPECT_TRUE(parse_strict_json(R"([{"a":1},{"a":{"a":2}}])"));
}

std::string object_of(int keys) {
    std::string text = "{";
    for (int i = 0; i < keys; ++i)
        text += (i ? ",\"" : "\"") + std::to_string(i) + "\":" + std::to_string(i);
    return text + "}";
}

TEST(StrictJson, AnObjectHasAtMost64Keys) {
    EXPECT_TRUE(parse_strict_json(object_of(64)));
    EXPECT_FALSE(parse_strict_json(object_of(65)));
}

}  // namespace
}  // namespace sluice::api
