#include "adapters/redis/client.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/cutting_proxy.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"

namespace sluice::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::CuttingProxy;
using testing_support::eventually;
using testing_support::RedisNode;
using testing_support::RedisServer;

LinkHealth health_of(RedisNode& node) {
    return node.client().health().front();
}

/// What deploy/redis/sluice.conf allows.
std::vector<std::string> rights_of_our_user() {
    std::ifstream file(SLUICE_SOURCE_DIR "/deploy/redis/sluice.conf");
    std::vector<std::string> rights;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("user sluice ")) continue;
        std::istringstream words(line);
        for (std::string word; words >> word;)
            if (word.starts_with('+')) rights.push_back(word);
    }
    return rights;
}

TEST(RedisClient, AnswersComeInTheOrderOfTheCalls) {
    RedisNode node(RedisServer::shared().options());
    std::vector<Call> calls;
    for (int i = 0; i < 500; ++i)
        calls.push_back({.script = nullptr, .words = {"ECHO", std::to_string(i)}});
    const auto replies = run_to_end(node.client().call_all(std::move(calls)));
    ASSERT_EQ(replies.size(), 500U);
    for (std::size_t i = 0; i < 500; ++i)
        ASSERT_EQ(replies[i].view().number(), static_cast<std::int64_t>(i));
}

TEST(RedisClient, AnErrorOfOneCallIsNoneOfTheOthers) {
    RedisNode node(RedisServer::shared().options());
    EXPECT_THROW(node.ask({"NO-SUCH-COMMAND"}), Outage);
    EXPECT_EQ(node.ask({"ECHO", "still there"}).view().text(), "still there");
}

TEST(RedisClient, LoadsAScriptThatRedisHasForgotten) {
    RedisServer server;
    RedisNode node(server.options());
    EXPECT_EQ(run_to_end(node.gate().open_copy(SaleId{1})), std::nullopt);
    server.ask({"SCRIPT", "FLUSH"});
    EXPECT_EQ(run_to_end(node.gate().open_copy(SaleId{1})), std::nullopt);
    EXPECT_EQ(server.ask({"SCRIPT", "EXISTS", script("head").sha}), "1\n");
}

TEST(RedisClient, LogsInAndSelects) {
    RedisServer server;
    std::vector<std::string> words{"ACL", "SETUSER", "sluice", ">a word", "on", "~*"};
    for (auto& right : rights_of_our_user()) words.push_back(std::move(right));
    server.ask(words);
    server.ask({"ACL", "SETUSER", "default", "off"});
    auto options = server.options();
    options.user = "sluice";
    options.password = "a word";
    options.database = 3;
    RedisNode node(options);
    auto& gate = node.gate();
    const StockGate::Filling filling{SaleId{1}, 1, "ledger"};
    EXPECT_TRUE(run_to_end(gate.begin_fill(filling, 5, 0)));
    EXPECT_TRUE(run_to_end(gate.fill(filling, {{UserId{8}, 1}})));
    EXPECT_TRUE(run_to_end(gate.open_epoch(filling)));
    Ticket ticket;
    ticket.id.sale = SaleId{1};
    ticket.buyer = UserId{7};
    EXPECT_EQ(run_to_end(gate.claim(ticket, 1)).verdict, StockGate::Verdict::won);
    run_to_end(gate.hand_off({StockGate::ClaimName(ticket)}));
    EXPECT_EQ(run_to_end(gate.handed_off(from_millis(1))).size(), 1U);
    run_to_end(gate.release({StockGate::ClaimName(ticket)}));
    EXPECT_EQ(run_to_end(gate.apply(SaleId{1}, 1, {{.seq = 1, .delta_left = 1, .buyer = {}}})), 1);
    EXPECT_EQ(run_to_end(gate.snapshot(SaleId{1}))->left, 6);
    EXPECT_TRUE(eventually([&] { return gate.glance(SaleId{1}, UserId{7}).history; }));
    EXPECT_TRUE(run_to_end(gate.forget(SaleId{1}, 1)));
    EXPECT_THROW(node.ask({"FLUSHALL"}), Outage) << "our user may not";

    options.password = "another word";
    RedisNode stranger(options);
    EXPECT_TRUE(eventually(
        [&] { return health_of(stranger).failure.find("WRONGPASS") != std::string::npos; }));
    EXPECT_THROW(stranger.ask({"ECHO", "x"}), Outage);
}

TEST(RedisClient, TellsWhatIsWrongWithTheServer) {
    RedisServer server({"--maxmemory-policy", "allkeys-lru"});
    auto options = server.options();
    options.heartbeat = 20ms;
    RedisNode node(options);
    node.ask({"ECHO", "x"});
    const auto complaints = [&] {
        std::vector<std::string> texts;
        for (const auto& each : complaints_about(health_of(node).server))
            texts.push_back(text_of(each));
        return texts;
    };
    EXPECT_TRUE(health_of(node).is_connected);
    EXPECT_THAT(complaints(), ElementsAre(HasSubstr("allkeys-lru"), HasSubstr("appendonly")));
    server.ask({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    server.ask({"CONFIG", "SET", "appendonly", "yes"});
    EXPECT_TRUE(eventually([&] { return complaints().empty(); })) << "looked at while it runs";
}

TEST(RedisClient, RefusesWhatIsTooMuch) {
    auto options = RedisServer::shared().options();
    const auto direct = options;
    options.most_waiting = 10;
    options.heartbeat = 1h;
    RedisNode node(options, direct);
    const auto send = [&](int count) {
        std::vector<Call> calls;
        for (int i = 0; i < count; ++i)
            calls.push_back({.script = nullptr, .words = {"ECHO", "x"}});
        return run_to_end(node.client().call_all(std::move(calls))).size();
    };
    EXPECT_EQ(send(10), 10U);
    EXPECT_THROW(send(11), Overload);
    EXPECT_EQ(node.ask({"ECHO", "y"}).view().text(), "y");
}

TEST(RedisClient, AnAnswerThatIsTooLongIsNone) {
    auto options = RedisServer::shared().options();
    options.longest_reply = 100'000;
    RedisNode node(options);
    node.ask({"SET", options.prefix + "long", std::string(300'000, 'x')});
    EXPECT_THROW(node.ask({"GET", options.prefix + "long"}), UnknownOutcome);
    EXPECT_EQ(node.ask({"ECHO", "y"}).view().text(), "y") << "by another connection";
}

TEST(RedisClient, WaitsForAConnectionAndIsToldOfAnOutageAtOnce) {
    RedisServer server;
    RedisNode node(server.options());
    EXPECT_EQ(node.ask({"ECHO", "x"}).view().text(), "x") << "it waited for the connection";
    server.kill();
    const auto is_away = [&] {
        try {
            node.ask({"ECHO", "x"});
        } catch (const UnknownOutcome&) {
            return false;
        } catch (const Outage&) {
            return true;
        }
        return false;
    };
    EXPECT_TRUE(eventually(is_away));
    server.start();
    EXPECT_TRUE(eventually([&] { return health_of(node).is_connected; })) << "by itself";
}

TEST(RedisClient, NoAnswerInTimeIsUnknown) {
    RedisServer server;
    auto options = server.options();
    options.patience = 200ms;
    options.heartbeat = 1h;
    RedisNode node(options);
    ASSERT_TRUE(eventually([&] { return health_of(node).is_connected; }));
    server.freeze();
    const auto began = std::chrono::steady_clock::now();
    EXPECT_THROW(node.ask({"INCR", "n"}), UnknownOutcome);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    EXPECT_THROW(node.ask({"INCR", "n"}), Outage) << "no new connection either";
    server.thaw();
    EXPECT_TRUE(eventually([&] { return health_of(node).is_connected; }));
    EXPECT_EQ(server.ask({"GET", "n"}), "1\n") << "it has happened after all, and only that one";
}

TEST(RedisClient, TakesTheNextPlaceWhenOneIsNoMaster) {
    RedisServer replica({"--replicaof", "127.0.0.1", "1"}), master;
    auto options = master.options();
    options.places.insert(options.places.begin(), {.socket = replica.socket(), .host = {}});
    RedisNode node(options);
    EXPECT_TRUE(eventually([&] { return health_of(node).is_connected; }));
    EXPECT_EQ(node.ask({"SET", "x", "1"}).view().text(), "OK");
    EXPECT_EQ(master.ask({"GET", "x"}), "1\n");
}

TEST(RedisClient, NoticesThatItsServerHasBecomeAnother) {
    RedisServer server;
    auto options = server.options();
    options.heartbeat = 20ms;
    RedisNode node(options);
    node.ask({"ECHO", "x"});
    const auto before = health_of(node).server.run;
    server.ask({"REPLICAOF", "127.0.0.1", "1"});
    EXPECT_TRUE(eventually([&] { return !health_of(node).is_connected; }));
    server.ask({"REPLICAOF", "NO", "ONE"});
    EXPECT_TRUE(eventually([&] { return health_of(node).is_connected; }));
    const auto after = health_of(node).server.run;
    EXPECT_NE(after, before);
    EXPECT_EQ(after.substr(0, after.find(':')), before.substr(0, before.find(':')))
        << "its run_id alone would not tell";
}

TEST(RedisClient, ACutRequestIsUnknownAndTheNextOneGoesByAnotherConnection) {
    CuttingProxy proxy(RedisServer::shared().socket());
    auto options = RedisServer::shared().options();
    const auto direct = options;
    options.places = {{.socket = proxy.socket(), .host = {}}};
    options.heartbeat = 1h;
    RedisNode node(options, direct);
    for (long cut = 1; cut < 20; ++cut) {
        node.ask({"ECHO", "x"});
        proxy.cut_request_after(cut);
        EXPECT_THROW(node.ask({"ECHO", "x"}), UnknownOutcome) << cut;
    }
    EXPECT_EQ(node.ask({"ECHO", "y"}).view().text(), "y");
}

}  // namespace
}  // namespace sluice::redis
