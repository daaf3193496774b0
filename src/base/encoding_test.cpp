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

}  // namespace
}  // namespace sluice
