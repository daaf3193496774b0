#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "config/broker_url.hpp"
#include "config/load.hpp"

namespace sluice {
namespace {

using Variables = std::map<std::string, std::string>;

const Variables kCluster{{"SLUICE_LEDGER_KIND", "mariadb"},
                         {"SLUICE_LEDGER_URL", "mariadb://a/b"},
                         {"SLUICE_HOT_KIND", "redis"},
                         {"SLUICE_HOT_URL", "redis://a"}};
const Variables kRabbit{{"SLUICE_BROKER_KIND", "rabbitmq"},
                        {"SLUICE_BROKER_URLS", "amqp://a"},
                        {"SLUICE_BROKER_PASSWORD", "secret"}};

Variables with(Variables all, const Variables& more) {
    for (const auto& [name, value] : more) all[name] = value;
    return all;
}

Config load(const Variables& all) {
    return load_config({.environment = {all.begin(), all.end()}}).config;
}

std::string error_of(const Variables& all) {
    try {
        load(all);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

void expect_error(const Variables& all, const std::string& part) {
    const auto error = error_of(all);
    EXPECT_NE(error.find(part), std::string::npos) << part << ": " << error;
}

TEST(BrokerUrl, IsAHostAndPerhapsAPort) {
    const auto plain = BrokerUrl::parse("amqp://queue.example.com");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->host, "queue.example.com");
    EXPECT_EQ(plain->port, 5672);
    EXPECT_FALSE(plain->is_tls);
    EXPECT_FALSE(plain->is_local());
    const auto secure = BrokerUrl::parse("amqps://[::1]/");
    ASSERT_TRUE(secure);
    EXPECT_EQ(secure->host, "::1");
    EXPECT_EQ(secure->port, 5671);
    EXPECT_TRUE(secure->is_tls);
    EXPECT_TRUE(secure->is_local());
    EXPECT_EQ(BrokerUrl::parse("amqps://a:7000")->port, 7000);
    for (const auto* text : {"", "amqp://", "amqp://a:0", "amqp://me:secret@a", "amqp://a/shop",
                             "amqp://a?heartbeat=1", "http://a", "a:5672", "amqp://1.2.3"})
        EXPECT_FALSE(BrokerUrl::parse(text)) << text;
}

TEST(BrokerConfig, ReadsEveryKey) {
    EXPECT_EQ(load(kCluster).broker, Config::Broker{});
    const auto broker =
        load(with(with(kCluster, kRabbit), {{"SLUICE_BROKER_URLS", "amqps://a, amqps://b:1"},
                                            {"SLUICE_BROKER_USER", "shop"},
                                            {"SLUICE_BROKER_TLS_CA", "/ca"},
                                            {"SLUICE_BROKER_TLS_CERT", "/cert"},
                                            {"SLUICE_BROKER_TLS_KEY", "/key"},
                                            {"SLUICE_BROKER_VIRTUAL_HOST", "sale"},
                                            {"SLUICE_BROKER_QUEUE", "tickets"},
                                            {"SLUICE_BROKER_LONGEST_QUEUE", "16"},
                                            {"SLUICE_BROKER_PREFETCH", "1000"},
                                            {"SLUICE_BROKER_DECIDE_WITHIN_SECONDS", "60"}}))
            .broker;
    Config::Broker expected;
    expected.kind = BrokerKind::rabbitmq;
    expected.urls = {"amqps://a", "amqps://b:1"};
    expected.user = "shop";
    expected.password = "secret";
    expected.tls_ca = "/ca";
    expected.tls_cert = "/cert";
    expected.tls_key = "/key";
    expected.virtual_host = "sale";
    expected.queue = "tickets";
    expected.longest_queue = 16;
    expected.prefetch = 1'000;
    expected.decide_within_seconds = 60;
    EXPECT_EQ(broker, expected);
}

TEST(BrokerConfig, NeedsStockAndLedgerThatNodesShare) {
    const auto rabbit = with(kCluster, kRabbit);
    EXPECT_EQ(error_of(rabbit), "");
    expect_error(kRabbit, "Set ledger.kind = \"mariadb\", or broker.kind = \"none\"");
    expect_error(
        with(kRabbit, {{"SLUICE_LEDGER_KIND", "mariadb"}, {"SLUICE_LEDGER_URL", "mariadb://a/b"}}),
        "Set hot.kind = \"redis\", or broker.kind = \"none\"");
}

TEST(BrokerConfig, RefusesWhatCannotBeMeant) {
    const auto rabbit = with(kCluster, kRabbit);
    expect_error(with(kCluster, {{"SLUICE_BROKER_URLS", "amqp://a"}}), "broker.kind is \"none\"");
    expect_error(with(rabbit, {{"SLUICE_BROKER_URLS", ""}}), "which needs broker.urls");
    expect_error(with(rabbit, {{"SLUICE_BROKER_URLS", "amqp://me:secret@a"}}),
                 "without a user or a password");
    expect_error(with(rabbit, {{"SLUICE_BROKER_URLS", "amqp://a,amqps://b"}}), "and some do not");
    expect_error(with(rabbit, {{"SLUICE_BROKER_PASSWORD", ""}}), "SLUICE_BROKER_PASSWORD");
    expect_error(with(rabbit, {{"SLUICE_BROKER_PASSWORD_FILE", "/b"}}), "both given");
    expect_error(with(rabbit, {{"SLUICE_BROKER_USER", ""}}), "a name of 1 to 80 bytes");
    expect_error(with(rabbit, {{"SLUICE_BROKER_TLS_CERT", "/a"}}), "only of use together");
    expect_error(with(rabbit, {{"SLUICE_BROKER_TLS_CA", "/a"}}), "does not begin with amqps://");
    expect_error(with(rabbit, {{"SLUICE_BROKER_QUEUE", "amq.tickets"}}), "begin with amq.");
    expect_error(with(rabbit, {{"SLUICE_BROKER_QUEUE", ""}}), "1 to 200 visible characters");
    expect_error(with(rabbit, {{"SLUICE_BROKER_LONGEST_QUEUE", "15"}}), "from 16 to 1000000");
    expect_error(with(rabbit, {{"SLUICE_BROKER_DECIDE_WITHIN_SECONDS", "0"}}), "from 1 to 60");
}

TEST(BrokerConfig, ThePasswordComesFromNoFlagAndNotFromTheFile) {
    const auto path = std::filesystem::path(testing::TempDir()) / "broker_password.toml";
    std::ofstream(path) << "[broker]\npassword = \"secret\"\n";
    const auto error_of_sources = [](const Sources& sources) -> std::string {
        try {
            load_config(sources);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_TRUE(error_of_sources({.file = path})
                    .ends_with("broker.password does not belong in this file: give it as "
                               "SLUICE_BROKER_PASSWORD, or name "
                               "a file with broker.password_file"));
    EXPECT_NE(error_of_sources({.flags = {{"broker.password", "secret"}}}).find("is a secret"),
              std::string::npos);
    std::filesystem::remove(path);
}

TEST(Roles, AreAllUnlessSomeAreNamed) {
    EXPECT_TRUE(load({}).roles.has_all());
    EXPECT_EQ(load({}).roles.names(), (std::vector<std::string>{"edge", "writer", "keeper"}));
    const auto some = load(with(kCluster, {{"SLUICE_ROLES", "keeper, writer"}})).roles;
    EXPECT_EQ(some, (Roles{.edge = false, .writer = true, .keeper = true}));
    EXPECT_EQ(some.names(), (std::vector<std::string>{"writer", "keeper"}));
    const auto path = std::filesystem::path(testing::TempDir()) / "one_role.toml";
    std::ofstream(path) << "roles = \"edge\"\n";
    EXPECT_EQ(load_config({.file = path, .environment = {kCluster.begin(), kCluster.end()}})
                  .config.roles.names(),
              std::vector<std::string>{"edge"});
    std::filesystem::remove(path);
}

TEST(Roles, RefuseWhatCannotBeMeant) {
    expect_error({{"SLUICE_ROLES", "edge"}}, "hot.kind is \"memory\", so there are none");
    EXPECT_EQ(error_of({{"SLUICE_ROLES", "edge,keeper,writer"}}), "");
    expect_error(with(kCluster, {{"SLUICE_ROLES", "edge,broker"}}),
                 R"("broker" is not one of "edge" "writer" "keeper")");
    expect_error(with(kCluster, {{"SLUICE_ROLES", ""}}), "at least one of");
}

}  // namespace
}  // namespace sluice
