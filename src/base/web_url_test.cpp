#include "base/web_url.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(UrlParts, AreFoundByTheirBorders) {
    const struct {
        std::string_view text, scheme, authority, rest;
    } rows[] = {
        {"https://a", "https", "a", ""},
        {"http://a:80/b?c#d", "http", "a:80", "/b?c#d"},
        {"https://u@[::1]:8?x/y", "https", "u@[::1]:8", "?x/y"},
        {"https://a#b", "https", "a", "#b"},
        {"redis://", "redis", "", ""},
        {"https:///x", "https", "", "/x"},
        {"a://b://c", "a", "b:", "//c"},
    };
    for (const auto& row : rows) {
        const auto parts = UrlParts::split(row.text);
        ASSERT_TRUE(parts) << row.text;
        EXPECT_EQ(parts->scheme, row.scheme) << row.text;
        EXPECT_EQ(parts->authority, row.authority) << row.text;
        EXPECT_EQ(parts->rest, row.rest) << row.text;
        EXPECT_EQ(parts->is_web(), row.scheme.starts_with("http")) << row.text;
    }
    for (const auto* text : {"", "a", "/a", "//a", "://a", "https:/a", "https:a"})
        EXPECT_FALSE(UrlParts::split(text)) << text;
    EXPECT_FALSE(UrlParts::split("HTTPS://a")->is_web());
}

TEST(UrlParts, HaveAPathAndAtMostOneParameter) {
    const struct {
        std::string_view text, path;
        std::optional<std::string_view> db;
    } rows[] = {
        {"unix://", "", std::nullopt},
        {"unix:///a", "/a", std::nullopt},
        {"unix:///a?db=3", "/a", "3"},
        {"unix:///a?db=", "/a", ""},
        {"unix:///a?db=b=c?d", "/a", "b=c?d"},
        {"unix:///a?", "/a", std::nullopt},
        {"unix:///a?db", "/a", std::nullopt},
        {"unix:///a?dbs=3", "/a", std::nullopt},
        {"unix:///a?DB=3", "/a", std::nullopt},
        {"unix:///a?db=3&x=1", "/a", std::nullopt},
        {"unix:///a?x=1&db=3", "/a", std::nullopt},
        {"unix://?db=3", "", "3"},
    };
    for (const auto& row : rows) {
        const auto parts = UrlParts::split(row.text);
        ASSERT_TRUE(parts) << row.text;
        EXPECT_EQ(parts->path(), row.path) << row.text;
        EXPECT_EQ(parts->only_parameter("db"), row.db) << row.text;
        EXPECT_EQ(parts->has_query(), row.text.find('?') != row.text.npos) << row.text;
    }
}

TEST(HostAndPort, AreAsInAUrl) {
    const struct {
        std::string_view text, host;
        std::optional<std::uint16_t> port;
    } rows[] = {
        {"a", "a", std::nullopt},
        {"a-b.C0:65535", "a-b.C0", 65535},
        {"a:0", "a", 0},
        {"127.0.0.1:80", "127.0.0.1", 80},
        {"1.2.3", "1.2.3", std::nullopt},
        {"[::1]", "::1", std::nullopt},
        {"[2001:db8::1]:8080", "2001:db8::1", 8080},
    };
    for (const auto& row : rows) {
        const auto parts = HostAndPort::parse(row.text);
        ASSERT_TRUE(parts) << row.text;
        EXPECT_EQ(parts->host, row.host) << row.text;
        EXPECT_EQ(parts->port, row.port) << row.text;
    }
    for (const auto* text :
         {"",      ":",    ":80",    "a:",     "a:65536", "a:+1",           "a:-1", "a:1 ",
          "a:1:2", "a b",  "a_b",    "u@a",    "::1",     "::1:80",         "[",    "]",
          "[]",    "[::1", "[::1]x", "[::1]:", "[a]",     "[127.0.0.1]:80", "[]:80"})
        EXPECT_FALSE(HostAndPort::parse(text)) << text;
    EXPECT_TRUE(HostAndPort::parse(std::string(253, 'a')));
    EXPECT_FALSE(HostAndPort::parse(std::string(254, 'a')));
}

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
