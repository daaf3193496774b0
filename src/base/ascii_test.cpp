#include "base/ascii.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Ascii, ControlCharactersAreThoseAroundTheVisibleOnes) {
    for (const char c : {'\0', '\t', '\n', '\x1f', '\x7f'}) EXPECT_TRUE(is_control(c)) << int{c};
    for (const char c : {' ', '!', 'a', '~', '\x80', '\xff'}) EXPECT_FALSE(is_control(c)) << int{c};
}

TEST(Ascii, WhatIsVisibleHasNoSpace) {
    EXPECT_TRUE(is_visible_ascii(""));
    EXPECT_TRUE(is_visible_ascii("!~aZ09"));
    for (const char* text : {" ", "a b", "a\t", "a\n", "a\x7f", "\xc3\xa4"})
        EXPECT_FALSE(is_visible_ascii(text)) << text;
}

TEST(Ascii, OnlyItsOwnLettersHaveALowerCase) {
    const std::string_view before = "AZaz@[09\xc3";
    std::string after;
    for (const char c : before) after += to_lower(c);
    EXPECT_EQ(after, "azaz@[09\xc3");
}

TEST(Ascii, TrimTakesSpacesAndTabs) {
    EXPECT_EQ(trim(" \t a b\t "), "a b");
    EXPECT_EQ(trim(" \t"), "");
    EXPECT_EQ(trim("\na "), "\na");
}

}  // namespace
}  // namespace sluice
