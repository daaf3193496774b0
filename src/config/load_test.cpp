#include "config/load.hpp"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "config/ledger_url.hpp"
#include "config/toml_file.hpp"

namespace sluice {
namespace {

class LoadConfig : public testing::Test {
  protected:
    LoadConfig() {
        std::string name = (std::filesystem::temp_directory_path() / "config_XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~LoadConfig() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path file(std::string_view text) const {
        std::ofstream(folder_ / "a.toml", std::ios::binary) << text;
        return folder_ / "a.toml";
    }

    /// The message without the folder, or "loaded".
    std::string error_of(const Sources& sources) const {
        try {
            load_config(sources);
        } catch (const ConfigError& error) {
            std::string message = error.what();
            const auto at = message.find(folder_.string());
            if (at != message.npos) message.erase(at, folder_.string().size() + 1);
            return message;
        }
        return "loaded";
    }

    std::filesystem::path folder_;
};

TEST_F(LoadConfig, GivesDefaultsWithoutSources) {
    const auto loaded = load_config({});
    EXPECT_EQ(loaded.config, Config{});
    EXPECT_TRUE(loaded.given.empty());
}

TEST_F(LoadConfig, ReadsEveryKind) {
    const auto config = load_config({.file = file(R"(
        listen = "[::1]:0"
        admin_listen = "localhost:9000"
        data = "/var/lib/sluice"
        threads = 4
        public_url = "https://sale.example.com"
        http.body_bytes = 0x1000
        http.trusted_proxies = ["10.0.0.0/8", "::1"]
        limits = { enabled = false }
        [log]
        level = "warn"
        format = "json"
    )")})
                            .config;
    EXPECT_EQ(config.listen, (Endpoint{"::1", 0}));
    EXPECT_EQ(config.listen.text(), "[::1]:0");
    EXPECT_EQ(config.admin_listen, (Endpoint{"localhost", 9000}));
    EXPECT_EQ(config.data, "/var/lib/sluice");
    EXPECT_EQ(config.threads, 4u);
    EXPECT_TRUE(config.is_https());
    EXPECT_EQ(config.http.body_bytes, 4096u);
    ASSERT_EQ(config.http.trusted_proxies.size(), 2u);
    EXPECT_EQ(config.http.trusted_proxies[0].text(), "10.0.0.0/8");
    EXPECT_FALSE(config.limits.enabled);
    EXPECT_EQ(config.log.level, LogLevel::warn);
    EXPECT_EQ(config.log.format, LogFormat::json);
}

TEST_F(LoadConfig, ReadsTheEnvironmentByKind) {
    const auto config = load_config({.environment = {{"SLUICE_LISTEN", "0.0.0.0:80"},
                                                     {"SLUICE_HTTP_MAX_CONNECTIONS", "12"},
                                                     {"SLUICE_LIMITS_ENABLED", "false"},
                                                     {"SLUICE_LIMITS_EXEMPT", "127.0.0.0/8, ::1"},
                                                     {"SLUICE_HTTP_TRUSTED_PROXIES", ""},
                                                     {"SLUICE_LOG_LEVEL", "debug"},
                                                     {"HOME", "/"}}})
                            .config;
    EXPECT_EQ(config.listen.text(), "0.0.0.0:80");
    EXPECT_EQ(config.http.max_connections, 12u);
    EXPECT_FALSE(config.limits.enabled);
    EXPECT_EQ(config.limits.exempt.size(), 2u);
    EXPECT_TRUE(config.http.trusted_proxies.empty());
    EXPECT_EQ(config.log.level, LogLevel::debug);
}

TEST_F(LoadConfig, ReadsTheRateLimits) {
    const auto rates = load_config({.file = file("[limits.buying]\nper_minute = 7\n[limits]\n"
                                                 "people_per_address = 3\n"),
                                    .environment = {{"SLUICE_LIMITS_SALE_PER_SECOND", "9"}}})
                           .config.limits.rates;
    RateLimits expected;
    expected.of(RateClass::buying).per_minute = 7;
    expected.people_per_address = 3;
    expected.sale.per_second = 9;
    EXPECT_EQ(rates, expected);
}

TEST_F(LoadConfig, LetsFlagsWinOverEnvironmentOverFile) {
    Sources sources{.file = file("threads = 1\n[ledger]\nreaders = 3\nbatch = 5\n")};
    sources.environment = {{"SLUICE_THREADS", "2"}, {"SLUICE_LEDGER_READERS", "4"}};
    sources.flags = {{"threads", "3"}};
    const auto config = load_config(sources).config;
    EXPECT_EQ(config.threads, 3u);
    EXPECT_EQ(config.ledger.readers, 4u);
    EXPECT_EQ(config.ledger.batch, 5u);
}

TEST_F(LoadConfig, NamesPlaceAndReasonInAFile) {
    struct Row {
        const char *text, *error;
    };
    for (const auto& [text, error] : std::initializer_list<Row>{
             {"[limits]\n  enabeld = true",
              "a.toml:2:3: limits.enabeld is not a known key (did you mean limits.enabled?)"},
             {"max_connections = 1",
              "a.toml:1:1: max_connections is not a known key (did you mean "
              "http.max_connections?)"},
             {"colour = 1", "a.toml:1:1: colour is not a known key"},
             {"\n[limit]\n", "a.toml:2:2: limit is not a known table (did you mean limits?)"},
             {"[limits.buyng]",
              "a.toml:1:9: limits.buyng is not a known table (did you mean limits.buying?)"},
             {"[listen]", "a.toml:1:2: listen takes a value, not a table"},
             {"http = 1", "a.toml:1:1: http is a table, not a value"},
             {"threads = 257", "a.toml:1:1: threads: 257 is not a whole number from 0 to 256"},
             {"threads = -1", "a.toml:1:1: threads: -1 is not a whole number from 0 to 256"},
             {"threads = \"2\"", "a.toml:1:1: threads: \"2\" is not a whole number from 0 to 256"},
             {"threads = 1.5", "a.toml:1:1: threads: 1.5 is not a whole number from 0 to 256"},
             {"threads = 2026-11-11",
              "a.toml:1:1: threads: 2026-11-11 is not a whole number from 0 to 256"},
             {"limits.enabled = 1", "a.toml:1:8: limits.enabled: 1 is not true or false"},
             {"limits.exempt = [1]", "a.toml:1:8: limits.exempt: [ 1 ] is not a list of networks"},
             {"limits.exempt = \"::1\"",
              "a.toml:1:8: limits.exempt: \"::1\" is not a list of networks"},
             {"limits.exempt = [\"10.0.0.0/33\"]",
              "a.toml:1:8: limits.exempt: \"10.0.0.0/33\" is not a network such as 10.0.0.0/8 or "
              "2001:db8::/32"},
             {"log.level = \"loud\"",
              "a.toml:1:5: log.level: \"loud\" is not one of \"debug\" \"info\" \"warn\" "
              "\"error\""},
             {"http.connections_per_network = -1",
              "a.toml:1:6: http.connections_per_network: -1 is not a whole number from 0 to "
              "1000000"},
             {"http.admin_connections = 0",
              "a.toml:1:6: http.admin_connections: 0 is not a whole number from 1 to 65536"},
             {"payments.sandbox_in_public = \"yes\"",
              "a.toml:1:10: payments.sandbox_in_public: \"yes\" is not true or false"},
             {"machine_room.networks = [\"10.0.0.0/33\"]",
              "a.toml:1:14: machine_room.networks: \"10.0.0.0/33\" is not a network such as "
              "10.0.0.0/8 or 2001:db8::/32"},
             {"data = \"\"", "a.toml:1:1: data: \"\" is not a folder"},
             {"data = \"a\\nb\"", "a.toml:1:1: data: \"a?b\" is not a folder"},
             // The first mistake in the file, not the first in alphabetical order.
             {"zebra = 1\nant = 1\n", "a.toml:1:1: zebra is not a known key"},
         })
        EXPECT_EQ(error_of({.file = file(text)}), error) << text;
}

TEST_F(LoadConfig, NamesThePlaceOfWhatIsNotToml) {
    EXPECT_TRUE(error_of({.file = file("threads = 1\nthreads = 2\n")}).starts_with("a.toml:2:"));
    EXPECT_TRUE(error_of({.file = file("threads = \n")}).starts_with("a.toml:1:"));
    EXPECT_TRUE(error_of({.file = file("\n\"\xff\" = 1\n")}).starts_with("a.toml:2:"));
    EXPECT_TRUE(error_of({.file = file("[log]\n[log]\n")}).starts_with("a.toml:2:"));
}

TEST_F(LoadConfig, RefusesAFileThatCannotBeRead) {
    EXPECT_EQ(error_of({.file = folder_ / "b.toml"}),
              "b.toml: cannot be read: No such file or directory");
    std::filesystem::create_directory(folder_ / "c.toml");
    EXPECT_EQ(error_of({.file = folder_ / "c.toml"}), "c.toml: cannot be read: Is a directory");
    EXPECT_EQ(error_of({.file = file(std::string(2 << 20, '\n'))}),
              "a.toml: is larger than any configuration can be (1 MiB)");
}

TEST_F(LoadConfig, NamesVariableOrFlag) {
    EXPECT_EQ(error_of({.environment = {{"SLUICE_THREADS", "many"}}}),
              "environment SLUICE_THREADS: \"many\" is not a whole number from 0 to 256");
    EXPECT_EQ(error_of({.environment = {{"SLUICE_THREADS", ""}}}),
              "environment SLUICE_THREADS: \"\" is not a whole number from 0 to 256");
    EXPECT_EQ(error_of({.environment = {{"SLUICE_THREADS", "1"}, {"SLUICE_THREADS", "2"}}}),
              "environment SLUICE_THREADS is given twice");
    EXPECT_EQ(error_of({.environment = {{"SLUICE_LIMITS_EXEMPT", "::1,,::2"}}}),
              "environment SLUICE_LIMITS_EXEMPT: \"\" is not a network such as 10.0.0.0/8 or "
              "2001:db8::/32");
    EXPECT_EQ(error_of({.flags = {{"listen", "8080"}}}),
              "flag --listen: \"8080\" is not host:port, such as 127.0.0.1:8080 or [::1]:8080");
    EXPECT_EQ(error_of({.flags = {{"listn", "x"}}}),
              "flag --listn is not a known key (did you mean listen?)");
}

TEST_F(LoadConfig, RefusesABadValueThatIsOverridden) {
    EXPECT_NE(error_of({.file = file("threads = 999"), .flags = {{"threads", "1"}}}), "loaded");
}

TEST_F(LoadConfig, RefusesImpossibleCombinations) {
    EXPECT_EQ(error_of({.file = file("[ledger]\nbatch = 8192\nbacklog = 1024\n")}),
              "a.toml:2:1: ledger.batch is 8192, but can be at most ledger.backlog, which is 1024 "
              "(ledger.backlog from " +
                  (folder_ / "a.toml:3:1)").string());
    EXPECT_EQ(error_of({.environment = {{"SLUICE_ACCOUNTS_HASH_BACKLOG", "1"}}}),
              "environment SLUICE_ACCOUNTS_HASH_BACKLOG: accounts.hash_threads is 2, but can be at "
              "most accounts.hash_backlog, which is 1 (accounts.hash_threads by default)");
    EXPECT_EQ(error_of({.flags = {{"admin_listen", "127.0.0.1:8080"}}}),
              "flag --admin_listen: admin_listen and listen are both 127.0.0.1:8080 (listen by "
              "default)");
    EXPECT_EQ(error_of({.file = file("[limits.buying]\nburst = 7201\n")}),
              "a.toml:2:1: limits.buying.burst is 7201, but can be at most an hour of "
              "limits.buying.per_minute, which is 7200 (limits.buying.per_minute by default)");
    EXPECT_EQ(error_of({.flags = {{"listen", "[::1]:0"}, {"admin_listen", "[::1]:0"}}}), "loaded");
    EXPECT_EQ(error_of({.flags = {{"ledger.batch", "1024"}, {"ledger.backlog", "1024"}}}),
              "loaded");
}

TEST_F(LoadConfig, NobodyPaysWithoutMoneyUnlessItIsSaid) {
    EXPECT_EQ(load_config({}).config.payments.provider, PaymentProviderName::none);
    EXPECT_EQ(load_config({.demo = true}).config.payments.provider, PaymentProviderName::sandbox);
    EXPECT_EQ(load_config({.flags = {{"payments.provider", "none"}}, .demo = true})
                  .config.payments.provider,
              PaymentProviderName::none);
    const auto loads = [](Sources::Pairs flags, bool demo = false) {
        if (!demo) flags.emplace_back("payments.provider", "sandbox");
        try {
            load_config({.flags = std::move(flags), .demo = demo});
            return true;
        } catch (const ConfigError&) {
            return false;
        }
    };
    for (const char* listen : {"127.0.0.1:80", "[::1]:80", "localhost:80", "127.9.9.9:0"})
        EXPECT_TRUE(loads({{"listen", listen}})) << listen;
    for (const bool demo : {false, true})
        for (const auto& [key, value] : {std::pair{"listen", "0.0.0.0:80"},
                                         {"listen", "[::]:80"},
                                         {"listen", "shop.internal:80"},
                                         {"listen", "192.0.2.1:80"},
                                         {"admin_listen", "10.0.0.1:81"},
                                         {"public_url", "https://shop.example"},
                                         {"public_url", "http://shop.example:8080"}}) {
            EXPECT_FALSE(loads({{key, value}}, demo)) << key << ' ' << value;
            EXPECT_TRUE(loads({{key, value},
                               {"payments.sandbox_in_public", "true"},
                               {"sms.sandbox_in_public", "true"}},
                              demo))
                << key;
            EXPECT_TRUE(loads(
                {{key, value}, {"payments.provider", "none"}, {"sms.provider", "none"}}, true))
                << key;
            EXPECT_FALSE(loads(
                {{key, value}, {"payments.provider", "none"}, {"sms.provider", "sandbox"}}, demo))
                << key;
        }
    EXPECT_TRUE(loads({{"public_url", "https://localhost"}}));
    EXPECT_EQ(
        error_of({.flags = {{"listen", "0.0.0.0:80"}, {"payments.provider", "sandbox"}}}),
        "flag --payments.provider: payments.provider is \"sandbox\", where orders are paid "
        "without money, and listen is 0.0.0.0:80, beyond this machine. Set payments.provider = "
        "\"none\", or payments.sandbox_in_public = true if nobody can buy anything of value "
        "here (listen from flag --listen)");
}

TEST(MachineRoomToken, IsLongAndVisible) {
    const auto loads = [](const std::string& token) {
        try {
            return load_config({.environment = {{"SLUICE_MACHINE_ROOM_TOKEN", token}}})
                       .config.machine_room.token == token;
        } catch (const ConfigError& error) {
            EXPECT_EQ(std::string(error.what()).find(token), std::string::npos) << "a secret";
            return false;
        }
    };
    EXPECT_TRUE(loads(""));
    EXPECT_TRUE(loads(std::string(16, 'x')));
    EXPECT_TRUE(loads(std::string(256, 'x')));
    for (const auto& token :
         {std::string(15, 'x'), std::string(257, 'x'), std::string("sixteen letters x"),
          std::string("sixteen\nletters-x"), std::string("十六个字符以上的口令")})
        EXPECT_FALSE(loads(token)) << token;
    EXPECT_THROW(load_config({.flags = {{"machine_room.token", std::string(16, 'x')}}}),
                 ConfigError);
}

TEST_F(LoadConfig, OneNetworkHasASixteenthOfTheConnectionsUnlessItIsSaid) {
    Config config;
    EXPECT_EQ(config.connections_per_network(16384), 1024u);
    EXPECT_EQ(config.connections_per_network(512), 32u);
    EXPECT_EQ(config.connections_per_network(256), 32u);
    EXPECT_EQ(config.connections_per_network(40), 10u);
    EXPECT_EQ(config.connections_per_network(3), 1u);
    config.http.connections_per_network = 7;
    EXPECT_EQ(config.connections_per_network(3), 7u);
}

TEST_F(LoadConfig, RefusesVariablesThatAreNoKey) {
    EXPECT_EQ(error_of({.environment = {{"SLUICE_THREDS", "1"}}}),
              "environment SLUICE_THREDS is not a known key (did you mean SLUICE_THREADS?)");
    EXPECT_EQ(error_of({.environment = {{"SLUICE_", "1"}}}),
              "environment SLUICE_ is not a known key");
    for (const char* name : {"SLUICEGATE", "SLUICE_BINARY", "SLUICE_PORT", "SLUICE_SERVICE_HOST",
                             "SLUICE_PORT_8080_TCP_ADDR"})
        EXPECT_EQ(error_of({.environment = {{name, "1"}}}), "loaded") << name;
}

TEST_F(LoadConfig, NamesWhatAReloadChanges) {
    const auto before = load_config(
        {.environment = {{"SLUICE_THREADS", "2"}}, .flags = {{"limits.exempt", "10.0.0.0/8"}}});
    const auto after = load_config({.environment = {{"SLUICE_LOG_LEVEL", "warn"}},
                                    .flags = {{"limits.exempt", "10.0.0.0/9"}}});
    EXPECT_EQ(changed_keys(before, after),
              (std::vector<std::string>{"limits.exempt", "log.level", "threads"}));
    EXPECT_TRUE(changed_keys(before, load_config(before.sources)).empty());
}

TEST_F(LoadConfig, SplitsTheEnvironment) {
    const char* environ[] = {"A=1", "B=", "C=x=y", "broken", nullptr};
    EXPECT_EQ(environment_of(environ), (Sources::Pairs{{"A", "1"}, {"B", ""}, {"C", "x=y"}}));
}

TEST(Endpoint, ReadsHostAndPort) {
    for (const char* text :
         {"127.0.0.1:8080", "[::1]:0", "[::]:65535", "localhost:1", "a-b.c:80"}) {
        const auto endpoint = Endpoint::parse(text);
        ASSERT_TRUE(endpoint) << text;
        EXPECT_EQ(endpoint->text(), text);
    }
    for (const char* text : {"", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80",
                             "[::1]", "[::1:80", "[]:80", "[1.2.3.4]:80", "[x]:80", "1.2.3:80",
                             "1.2.3.256:80", "a b:80", "a:+1", "a:-1", "a:1 ", "http://a:80"})
        EXPECT_FALSE(Endpoint::parse(text)) << text;
}

TEST(PublicUrl, HasNoPath) {
    const auto loads = [](const char* text) {
        try {
            return load_config({.flags = {{"public_url", text}}}).config.public_url == text;
        } catch (const ConfigError&) {
            return false;
        }
    };
    for (const char* text : {"", "http://a", "https://a.b:8443", "http://[::1]", "http://[::1]:80"})
        EXPECT_TRUE(loads(text)) << text;
    for (const char* text :
         {"a", "ftp://a", "http://", "https://a/", "https://a/b", "https://a?b", "https://a:0",
          "https://u@a", "https://a:", "https://[::1", "HTTP://a"})
        EXPECT_FALSE(loads(text)) << text;
}

TEST_F(LoadConfig, KeepsSecretsOffTheCommandLineAndOutOfMessages) {
    EXPECT_EQ(error_of({.flags = {{"accounts.legacy_fixed_salt", "hush"}}}),
              "flag --accounts.legacy_fixed_salt is a secret, which others could read on a command "
              "line: give it in a file or as SLUICE_ACCOUNTS_LEGACY_FIXED_SALT");
    const Sources sources{.environment = {{"SLUICE_ACCOUNTS_LEGACY_FIXED_SALT", "hush"}}};
    EXPECT_EQ(load_config(sources).config.accounts.legacy_fixed_salt, "hush");
    const auto error = error_of({.file = file("accounts.legacy_fixed_salt = 12345")});
    EXPECT_TRUE(error.starts_with("a.toml:1:10: accounts.legacy_fixed_salt: ")) << error;
    EXPECT_EQ(error.find("12345"), error.npos) << error;
}

TEST_F(LoadConfig, OriginsAreWrittenAsBrowsersDo) {
    const auto config = load_config({.file = file(R"(
        http.cors_origins = ["https://shop.example.com", "http://127.0.0.1:3000"])")});
    EXPECT_EQ(config.config.http.cors_origins.size(), 2u);
    const auto loads = [](const char* text) {
        try {
            load_config({.flags = {{"http.cors_origins", text}}});
            return true;
        } catch (const ConfigError&) {
            return false;
        }
    };
    EXPECT_TRUE(loads(""));
    EXPECT_TRUE(loads("https://a.b,http://a.b:8080"));
    for (const char* text : {"*", "null", "a.b", "https://a.b/", "https://A.b", "https://a.b:443",
                             "http://a.b:80", "https://*.a.b"})
        EXPECT_FALSE(loads(text)) << text;
}

TEST(BackupEvery, IsALengthOfTimeOrOff) {
    using namespace std::chrono_literals;
    const auto read = [](const char* text) {
        return load_config({.flags = {{"backup.every", text}}}).config.backup.every;
    };
    EXPECT_EQ(read("off"), 0s);
    EXPECT_EQ(read("90s"), 90s);
    EXPECT_EQ(read("30m"), 30min);
    EXPECT_EQ(read("6h"), 6h);
    EXPECT_EQ(read("365d"), 365 * 24h);
    for (const char* text :
         {"", "0s", "6", "h", "6 h", "-1h", "6h30m", "1.5h", "366d", "6H", "10001s"})
        EXPECT_THROW(read(text), ConfigError) << text;
}

TEST_F(LoadConfig, ReadsWhereAMariaDbServerIs) {
    const auto config =
        load_config({.file = file("[ledger]\nkind = \"mariadb\"\ntls = \"checked\"\n"
                                  "url = \"mariadb://db.example.com:3307/shop\"\nwriters = 4\n"),
                     .environment = {{"SLUICE_LEDGER_PASSWORD", "secret"}},
                     .flags = {}})
            .config.ledger;
    EXPECT_EQ(config.kind, LedgerKind::mariadb);
    EXPECT_EQ(config.tls, LedgerTls::checked);
    EXPECT_EQ(config.password, "secret");
    EXPECT_EQ(config.writers, 4u);
    const auto url = LedgerUrl::parse(config.url);
    ASSERT_TRUE(url);
    EXPECT_EQ(url->host, "db.example.com");
    EXPECT_EQ(url->port, 3307);
    EXPECT_EQ(url->database, "shop");
    EXPECT_FALSE(url->is_local());
}

TEST_F(LoadConfig, RefusesALedgerThatCannotBeMeant) {
    EXPECT_EQ(error_of({.file = file("[ledger]\nkind = \"mariadb\"\n")}),
              "a.toml:2:1: ledger.kind is \"mariadb\", which needs ledger.url (ledger.url by "
              "default)");
    EXPECT_EQ(error_of({.file = file("[ledger]\nurl = \"mariadb://a/b\"\n")}),
              "a.toml:2:1: ledger.url is given, but ledger.kind is \"sqlite\" (ledger.kind by "
              "default)");
    EXPECT_EQ(error_of({.file = file("[ledger]\npassword = \"x\"\n")}),
              "a.toml:2:1: ledger.password does not belong in this file: give it as "
              "SLUICE_LEDGER_PASSWORD, or name a file with ledger.password_file");
    const auto with_mariadb = [&](const std::string& more) {
        return error_of({.file = file("backup.every = \"6h\"\n[ledger]\nkind = \"mariadb\"\n"
                                      "url = \"mariadb://a/b\"\n" +
                                      more)});
    };
    EXPECT_NE(with_mariadb("").find("backed up by its own tools"), std::string::npos);
}

TEST(LedgerUrl, IsAHostOrASocketAndADatabase) {
    const auto here = LedgerUrl::parse("mariadb://localhost/shop?socket=/run/mysqld/mysqld.sock");
    ASSERT_TRUE(here);
    EXPECT_EQ(here->socket, "/run/mysqld/mysqld.sock");
    EXPECT_TRUE(here->is_local());
    EXPECT_EQ(LedgerUrl::parse("mariadb://[::1]/a_1")->port, 3306);
    for (const auto* text :
         {"mariadb://host", "mariadb://host/", "mysql://host/shop", "mariadb://user:pw@host/shop",
          "mariadb://host:0/shop", "mariadb://host/sh-op", "mariadb://host/shop?ssl=1",
          "mariadb://db/shop?socket=/a", "mariadb://localhost:1/shop?socket=/a",
          "mariadb://localhost/shop?socket=a", "mariadb://localhost/shop?",
          "mariadb://localhost/shop?socket=/a&b", "mariadb://1.2.3/shop", "host/shop", ""})
        EXPECT_FALSE(LedgerUrl::parse(text)) << text;
}

TEST(Keys, HaveVariablesOfTheirOwn) {
    std::set<std::string> variables;
    for (const auto& key : keys()) EXPECT_TRUE(variables.insert(key.variable()).second) << key.name;
}

TEST(EmbeddedToml, NamesEveryKeyWithItsDefault) {
    const std::filesystem::path file = SLUICE_SOURCE_DIR "/config/embedded.toml";
    std::set<std::string_view> missing;
    for (const auto& key : keys())
        if (!key.not_in_file) missing.insert(key.name);
    const auto entries = read_toml(file);
    for (const auto& entry : entries) missing.erase(entry.name);
    EXPECT_TRUE(missing.empty()) << *missing.begin();

    EXPECT_EQ(load_config({.file = file}).config, Config{});
}

TEST(EmbeddedToml, StatesTheRangesInForce) {
    std::ifstream file(SLUICE_SOURCE_DIR "/config/embedded.toml");
    const std::string text(std::istreambuf_iterator<char>{file}, {});
    for (const auto& key : keys())
        if (const auto* number = std::get_if<WholeNumber>(&key.kind)) {
            const auto range = "\\b" + std::to_string(number->least) + "(\n#)? to " +
                               std::to_string(number->most) + "\\b";
            EXPECT_TRUE(std::regex_search(text, std::regex(range))) << key.name << ' ' << range;
        }
}

}  // namespace
}  // namespace sluice
