#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "config/hot_url.hpp"
#include "config/load.hpp"

namespace sluice {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

const Variables kMariaDb{{"SLUICE_LEDGER_KIND", "mariadb"}, {"SLUICE_LEDGER_URL", "mariadb://a/b"}};

Config load(const Variables& more, const Variables& ledger = kMariaDb) {
    std::map<std::string, std::string> all;
    for (const auto& [name, value] : ledger) all[name] = value;
    for (const auto& [name, value] : more) all[name] = value;
    return load_config({.environment = {all.begin(), all.end()}}).config;
}

std::string error_of(const Variables& more, const Variables& ledger = kMariaDb) {
    try {
        load(more, ledger);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

TEST(HotUrl, IsAHostOrASocketAndPerhapsADatabase) {
    const auto plain = HotUrl::parse("redis://cache.example.com");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->host, "cache.example.com");
    EXPECT_EQ(plain->port, 6379);
    EXPECT_EQ(plain->database, 0);
    EXPECT_FALSE(plain->is_tls);
    EXPECT_FALSE(plain->is_local());
    const auto secure = HotUrl::parse("rediss://[::1]:7000/15");
    ASSERT_TRUE(secure);
    EXPECT_EQ(secure->host, "::1");
    EXPECT_EQ(secure->port, 7000);
    EXPECT_EQ(secure->database, 15);
    EXPECT_TRUE(secure->is_tls);
    EXPECT_TRUE(secure->is_local());
    const auto file = HotUrl::parse("unix:///run/redis/redis.sock?db=3");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->socket, "/run/redis/redis.sock");
    EXPECT_EQ(file->database, 3);
    EXPECT_TRUE(HotUrl::parse("unix:///s")->is_local());
    EXPECT_TRUE(HotUrl::parse("redis://localhost/"));
    for (const auto* text :
         {"", "redis://", "redis://host:0", "redis://user:secret@host", "redis://host/a",
          "redis://host/-1", "redis://host/1000", "redis://host?db=1", "http://host", "unix://a/s",
          "unix:///", "unix:///s?db=x", "unix:///s?user=a", "unix:///s?", "unix:///s?db",
          "unix:///s?db=1&db=2", "host:6379", "redis://1.2.3"})
        EXPECT_FALSE(HotUrl::parse(text)) << text;
}

TEST(HotConfig, ReadsOnePlaceOrAList) {
    EXPECT_EQ(load({}).hot, Config::Hot{});
    const auto hot = load({{"SLUICE_HOT_KIND", "redis"},
                           {"SLUICE_HOT_URL", "redis://a:1/2, redis://b:2/2"},
                           {"SLUICE_HOT_USER", "sluice"},
                           {"SLUICE_HOT_PASSWORD", "secret"},
                           {"SLUICE_HOT_PREFIX", "shop:"}})
                         .hot;
    EXPECT_EQ(hot.kind, HotKind::redis);
    EXPECT_EQ(hot.url, (std::vector<std::string>{"redis://a:1/2", "redis://b:2/2"}));
    EXPECT_EQ(hot.user, "sluice");
    EXPECT_EQ(hot.password, "secret");
    EXPECT_EQ(hot.prefix, "shop:");
}

TEST(HotConfig, InAFileOneUrlNeedsNoList) {
    const auto path = std::filesystem::path(testing::TempDir()) / "one_hot_url.toml";
    std::ofstream(path) << "[ledger]\nkind = \"mariadb\"\nurl = \"mariadb://a/b\"\n"
                           "[hot]\nkind = \"redis\"\nurl = \"unix:///s\"\n";
    EXPECT_EQ(load_config({.file = path}).config.hot.url, std::vector<std::string>{"unix:///s"});
    std::filesystem::remove(path);
}

TEST(HotConfig, RefusesWhatCannotBeMeant) {
    const Variables redis{{"SLUICE_HOT_KIND", "redis"}, {"SLUICE_HOT_URL", "redis://a"}};
    const auto with = [&](const Variables& more) {
        auto all = redis;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const auto expect = [](const std::string& error, const std::string& part) {
        EXPECT_NE(error.find(part), std::string::npos) << error;
    };
    EXPECT_EQ(error_of(redis), "");
    expect(error_of({{"SLUICE_HOT_KIND", "redis"}}), "which needs hot.url");
    expect(error_of({{"SLUICE_HOT_URL", "redis://a"}}), "hot.kind is \"memory\"");
    expect(error_of(redis, {}), "Set ledger.kind = \"mariadb\"");
    expect(error_of(with({{"SLUICE_HOT_URL", "redis://me:secret@a"}})),
           "without a user or a password");
    expect(error_of(with({{"SLUICE_HOT_URL", "redis://a,rediss://b"}})), "rediss:// for some");
    expect(error_of(with({{"SLUICE_HOT_URL", "redis://a/1,redis://b/2"}})),
           "differ in their database");
    expect(error_of(with({{"SLUICE_HOT_USER", "sluice"}})), "SLUICE_HOT_PASSWORD");
    expect(error_of(with({{"SLUICE_HOT_PASSWORD", "a"}, {"SLUICE_HOT_PASSWORD_FILE", "/b"}})),
           "both given");
    expect(error_of(with({{"SLUICE_HOT_TLS_CERT", "/a"}})), "only of use together");
    expect(error_of(with({{"SLUICE_HOT_TLS_CA", "/a"}})), "does not begin with rediss://");
    expect(error_of(with({{"SLUICE_HOT_PREFIX", "{a}"}})), "without braces");
}

}  // namespace
}  // namespace sluice
