#include "config/production.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "config/keys.hpp"

namespace sluice {
namespace {

/// What a careful operator writes.
const Sources::Pairs kGood{{"public_url", "https://shop.example"},
                           {"http.trusted_proxies", "127.0.0.1"},
                           {"admin_listen", "127.0.0.1:8081"},
                           {"backup.every", "6h"},
                           {"accounts.country", "CN"},
                           {"accounts.second_factor", "required"},
                           {"accounts.verify_phone", "true"},
                           {"alerts.mail_url", "smtps://mail.example"},
                           {"alerts.mail_from", "sluice@shop.example"},
                           {"alerts.mail_to", "ops@shop.example"},
                           {"sms.provider", "http"},
                           {"sms.url", "https://gateway.example/send"}};

/// If a flag is given twice the last one counts.
std::set<std::string> found_in(const Sources::Pairs& flags) {
    std::map<std::string, std::string> last;
    for (const auto& [key, value] : flags) last[key] = value;
    const auto loaded = load_config({.environment = {{"SLUICE_SMS_SECRET", "sixteen-characters"}},
                                     .flags = {last.begin(), last.end()}});
    std::set<std::string> keys;
    for (const auto& finding : find_unfit_for_customers(loaded)) {
        EXPECT_FALSE(finding.reason.empty());
        EXPECT_FALSE(finding.line.empty());
        if (finding.is_note) continue;
        keys.insert(finding.key);
    }
    return keys;
}

std::set<std::string> found_with(const std::string& key, const std::string& value) {
    auto flags = kGood;
    std::erase_if(flags, [&](const auto& each) { return each.first == key; });
    flags.emplace_back(key, value);
    return found_in(flags);
}

TEST(Production, ACarefulConfigurationIsFit) {
    EXPECT_EQ(found_in(kGood), std::set<std::string>{});
}

TEST(Production, WithoutAConfigurationTheEssentialsAreMissing) {
    EXPECT_EQ(found_in({}), (std::set<std::string>{"public_url", "admin_listen", "backup.every",
                                                   "accounts.country", "accounts.second_factor",
                                                   "accounts.verify_phone", "alerts"}));
}

TEST(Production, WhatSomeShopsMeanIsANote) {
    const auto notes = [](const Sources::Pairs& flags, bool is_root) {
        std::set<std::string> keys;
        for (const auto& each : find_unfit_for_customers(load_config({.flags = flags}), is_root))
            if (each.is_note) keys.insert(each.key);
        return keys;
    };
    using Keys = std::set<std::string>;
    EXPECT_EQ(notes({}, false), Keys{"payments.provider"}) << "nobody can pay";
    EXPECT_EQ(notes({}, true), (Keys{"payments.provider", "the user"}));
    const Sources::Pairs sandbox{{"payments.provider", "sandbox"}};
    EXPECT_EQ(notes(sandbox, false), Keys{}) << "the sandbox is more than a note";
}

TEST(Production, ALimitMayBeTenTimesItsDefault) {
    const struct {
        const char *key, *near, *far;
    } rows[] = {
        {"limits.people_per_address", "100", "101"},
        {"limits.buying.per_minute", "1200", "1201"},
        {"limits.typing.burst", "300", "301"},
        {"limits.reading.per_minute", "60000", nullptr},
        {"limits.node.per_second", "1000000", nullptr},
        {"limits.holders_per_network", "100000", nullptr},
        {"accounts.new_per_network", "600", "601"},
        {"sms.per_day", "100000", "100001"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(found_with(row.key, row.near), std::set<std::string>{}) << row.key;
        if (!row.far) continue;
        EXPECT_EQ(found_with(row.key, row.far), std::set<std::string>{row.key}) << row.key;
    }
}

TEST(Production, ALimitThatIsFarSaysWhatIsUsual) {
    const auto findings =
        find_unfit_for_customers(load_config({.flags = {{"limits.buying.burst", "5000"}}}));
    const auto at = std::ranges::find(findings, "limits.buying.burst", &Finding::key);
    ASSERT_NE(at, findings.end());
    EXPECT_EQ(at->line, "[limits.buying] burst = 20");
    EXPECT_TRUE(at->reason.ends_with(": 5000, where 20 is usual")) << at->reason;
}

TEST(Production, WithoutMessagesTheirNumberDoesNotMatter) {
    auto flags = kGood;
    flags.emplace_back("sms.provider", "none");
    flags.emplace_back("accounts.verify_phone", "false");
    flags.emplace_back("sms.per_day", "100000000");
    EXPECT_EQ(found_in(flags), std::set<std::string>{"accounts.verify_phone"});
}

TEST(Production, EachKeyIsNamed) {
    const struct {
        const char *key, *value;
    } rows[] = {
        {"public_url", "http://shop.example"},
        {"public_url", ""},
        {"http.trusted_proxies", ""},
        {"http.trusted_proxies", "0.0.0.0/0"},
        {"http.trusted_proxies", "::/0"},
        {"listen", "0.0.0.0:8080"},
        {"http.cors_origins", "http://partner.example"},
        {"limits.enabled", "false"},
        {"accounts.second_factor", "optional"},
        {"accounts.verify_phone", "false"},
        {"limits.exempt", "0.0.0.0/0"},
        {"http.connections_per_network", "16384"},
        {"http.connections_per_network", "4097"},
        {"http.max_connections", "1023"},
        {"admin_listen", ""},
        {"admin_listen", "0.0.0.0:8081"},
        {"admin_listen", "[::]:8081"},
        {"machine_room.networks", "0.0.0.0/1"},
        {"webhooks.allow_private", "::/8"},
        {"log.level", "debug"},
        {"backup.every", "off"},
        {"payments.sandbox_in_public", "true"},
        {"sms.sandbox_in_public", "true"},
        {"sms.countries", "all"},
        {"sms.countries", "CN,all"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(found_with(row.key, row.value), std::set<std::string>{row.key})
            << row.key << " = " << row.value;
}

TEST(Production, CodesGoToTheCountryOfTheAccountsUnlessOthersAreNamed) {
    using Keys = std::set<std::string>;
    EXPECT_EQ(found_with("accounts.country", ""), (Keys{"accounts.country", "sms.countries"}));
    EXPECT_EQ(found_with("sms.countries", "CN,HK"), Keys{});
    auto flags = kGood;
    flags.emplace_back("accounts.country", "");
    flags.emplace_back("sms.countries", "CN");
    EXPECT_EQ(found_in(flags), Keys{"accounts.country"});
}

TEST(Production, ARedisThatIsFarIsReachedSafely) {
    const auto found = [](const std::string& url, const std::string& password_file) {
        auto flags = kGood;
        std::erase_if(flags, [](const auto& each) { return each.first == "backup.every"; });
        flags.emplace_back("ledger.kind", "mariadb");
        flags.emplace_back("ledger.url", "mariadb://localhost/shop");
        flags.emplace_back("hot.kind", "redis");
        flags.emplace_back("hot.url", url);
        flags.emplace_back("hot.password_file", password_file);
        return found_in(flags);
    };
    using Keys = std::set<std::string>;
    EXPECT_EQ(found("redis://10.0.0.1", ""), (Keys{"hot.url", "hot.password_file"}));
    EXPECT_EQ(found("redis://10.0.0.1", "/secret"), Keys{"hot.url"});
    EXPECT_EQ(found("rediss://10.0.0.1", "/secret"), Keys{});
    EXPECT_EQ(found("redis://127.0.0.1", ""), Keys{});
    EXPECT_EQ(found("unix:///run/redis.sock", ""), Keys{});
}

TEST(Production, ABrokerIsReachedSafelyAndHasThreeNodes) {
    const auto found = [](const std::string& urls, const std::string& user) {
        auto flags = kGood;
        std::erase_if(flags, [](const auto& each) { return each.first == "backup.every"; });
        flags.emplace_back("ledger.kind", "mariadb");
        flags.emplace_back("ledger.url", "mariadb://localhost/shop");
        flags.emplace_back("hot.kind", "redis");
        flags.emplace_back("hot.url", "redis://localhost");
        flags.emplace_back("broker.kind", "rabbitmq");
        flags.emplace_back("broker.urls", urls);
        flags.emplace_back("broker.user", user);
        flags.emplace_back("broker.password_file", "/secret");
        return found_in(flags);
    };
    using Keys = std::set<std::string>;
    EXPECT_EQ(found("amqp://10.0.0.1,amqp://10.0.0.2,amqp://10.0.0.3", "shop"),
              Keys{"broker.urls"});
    EXPECT_EQ(found("amqps://10.0.0.1,amqps://10.0.0.2,amqps://10.0.0.3", "shop"), Keys{});
    EXPECT_EQ(found("amqp://[::1]:1,amqp://[::1]:2,amqp://[::1]:3", "guest"), Keys{"broker.user"});
    EXPECT_EQ(found("amqp://localhost", "shop"), Keys{"broker.urls"});
}

TEST(Production, WhatIsFineIsNotNamed) {
    const struct {
        const char *key, *value;
    } rows[] = {
        {"http.trusted_proxies", "10.0.0.0/8"},  {"http.cors_origins", "https://partner.example"},
        {"limits.exempt", "10.1.0.0/16"},        {"admin_listen", "10.0.0.5:8081"},
        {"machine_room.networks", "10.0.0.0/8"}, {"http.connections_per_network", "4096"},
        {"http.max_connections", "1024"}};
    for (const auto& row : rows)
        EXPECT_EQ(found_with(row.key, row.value), std::set<std::string>{}) << row.key;
}

TEST(Production, ASandboxIsNamedWhereverItIs) {
    for (const std::string part : {"payments", "sms"}) {
        const auto provider = part + ".provider";
        const auto word = part + ".sandbox_in_public";
        auto flags = kGood;
        std::erase_if(flags, [&](const auto& each) { return each.first == provider; });
        flags.emplace_back(provider, "sandbox");
        flags.emplace_back(word, "true");
        EXPECT_EQ(found_in(flags), (std::set<std::string>{provider, word}));
    }
}

TEST(Production, TellsWhereAKeyStandsAndWhatToWriteThere) {
    const auto findings =
        find_unfit_for_customers(load_config({.flags = {{"limits.enabled", "false"}}}));
    const auto at = std::ranges::find(findings, "limits.enabled", &Finding::key);
    ASSERT_NE(at, findings.end());
    EXPECT_EQ(at->place, "flag --limits.enabled");
    EXPECT_EQ(at->line, "[limits] enabled = true");
}

TEST(Production, AFileWithSecretsIsForTheServerAlone) {
    std::string name = (std::filesystem::temp_directory_path() / "production_XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(name.data());
    const auto file = folder / "a.toml";
    const auto find = [&](const char* text) {
        std::ofstream(file) << text;
        const auto findings = find_unfit_for_customers(load_config({.file = file}));
        return std::ranges::count(findings, file.string(), &Finding::key);
    };
    namespace fs = std::filesystem;
    EXPECT_EQ(find("threads = 1\n"), 0) << "no secrets";
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read);
    EXPECT_EQ(find("machine_room.token = \"sixteen-characters\"\n"), 1);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(find("machine_room.token = \"sixteen-characters\"\n"), 0);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace sluice
