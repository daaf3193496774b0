#include "base/web_url.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(WebUrl, HasItsParts) {
    const auto plain = WebUrl::parse("https://shop.example.com/hooks?a=b").value();
    EXPECT_TRUE(plain.secure);
    EXPECT_EQ(plain.host, "shop.example.com");
    EXPECT_EQ(plain.port, 443);
    EXPECT_EQ(plain.target, "/hooks?a=b");
    EXPECT_EQ(plain.authority(), "shop.example.com");

    const auto odd = WebUrl::parse("http://[2001:db8::1]:8080?x").value();
    EXPECT_FALSE(odd.secure);
    EXPECT_EQ(odd.host, "2001:db8::1");
    EXPECT_EQ(odd.target, "/?x");
    EXPECT_EQ(odd.authority(), "[2001:db8::1]:8080");
    EXPECT_EQ(WebUrl::parse("http://a")->authority(), "a");
    EXPECT_EQ(WebUrl::parse("https://a:80/")->authority(), "a:80");
}

TEST(WebUrl, IsStrict) {
    for (const auto* text : {"",
                             "a",
                             "ftp://a/",
                             "HTTPS://a/",
                             "https:/a",
                             "https://",
                             "https:///x",
                             "https://u@a/",
                             "https://u:p@a/",
                             "https://a/#x",
                             "https://a b/",
                             "https://a\n/",
                             "https://a:0/",
                             "https://a:65536/",
                             "https://a:/",
                             "https://a:1:2/",
                             "https://[::1/",
                             "https://[a]/",
                             "https://::1/",
                             "https://[127.0.0.1]/",
                             "https://a_b/",
                             "https://.a/",
                             "https://-a/",
                             "https://\xc3\xa4/",
                             "https://a%2e/"})
        EXPECT_FALSE(WebUrl::parse(text)) << text;
    EXPECT_TRUE(WebUrl::parse("https://a/" + std::string(2'038, 'x')));
    EXPECT_FALSE(WebUrl::parse("https://a/" + std::string(2'039, 'x')));
}

}  // namespace
}  // namespace sluice
