#include "base/encoding.hpp"

#include <array>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Encoding, Base64UrlGoesBothWays) {
    const std::array<unsigned char, 4> bytes{0xfb, 0xff, 0x00, 0x10};
    const auto text = to_base64url(bytes);
    EXPECT_EQ(text, "-_8AEA");
    std::array<unsigned char, 4> back{};
    EXPECT_TRUE(from_base64url(text, back));
    EXPECT_EQ(back, bytes);
}

TEST(Encoding, Base64IsPadded) {
    EXPECT_EQ(to_base64(bytes_of("\xfb\xff\xfe")), "+//+");
    EXPECT_EQ(to_base64(bytes_of("a")), "YQ==");
    EXPECT_EQ(to_base64({}), "");
}

TEST(Encoding, Base64UrlRefusesWrongLengthsAndLetters) {
    std::array<unsigned char, 4> out{};
    for (const char* text : {"", "-_8AE", "-_8AEAA", "-_8AEA==", "+/8AEA", "-_8A EA", "-_8AEB"})
        EXPECT_FALSE(from_base64url(text, out)) << text;
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int c = -128; c < 128; ++c) {
        const std::string text{'A', static_cast<char>(c), 'A', 'A', 'A', 'A'};
        EXPECT_EQ(from_base64url(text, out), letters.find(text[1]) != letters.npos) << c;
    }
}

TEST(Encoding, PercentDecodingRefusesBrokenEscapesAndNul) {
    EXPECT_EQ(percent_decode("a%20b%E6%97%A5"), "a b\xE6\x97\xA5");
    for (const char* text : {"%", "%2", "%zz", "a%00b"}) EXPECT_FALSE(percent_decode(text)) << text;
}

TEST(Encoding, HexComesInPairsOfAnyCase) {
    EXPECT_EQ(from_hex("00fFA1"), std::string("\0\xff\xa1", 3));
    EXPECT_EQ(from_hex(""), "");
    for (const char* text : {"0", "0g", "0x00", " 00", "00\xc3\xa9"})
        EXPECT_FALSE(from_hex(text)) << text;
}

TEST(Encoding, Utf8IsWhatUnicodeAllows) {
    for (const char* text :
         {"", "tea", "茶", "é", "\U0001F375", "\uD7FF", "\uE000", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (const char* text :
         {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xc3", "\xe8\x8c",
          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xb2\xe8"})
        EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace sluice
