#include "adapters/redis/redis_sessions.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/session_rows.hpp"

namespace sluice::redis {
namespace {

using namespace std::chrono_literals;
using testing_support::eventually;
using testing_support::RedisNode;
using testing_support::RedisServer;

class RedisSessionsTest : public testing::Test {
  protected:
    void open(RedisSessions& sessions) {
        run_to_end(sessions.add({.key = key,
                                 .user = UserId{5},
                                 .password_hash = "hash",
                                 .expires_at = clock.now() + 30min,
                                 .ends_at = clock.now() + 12h}));
    }
    std::optional<Session> find(RedisSessions& sessions) {
        return run_to_end(sessions.find(key, clock.now()));
    }
    static void drop(RedisSessions& sessions, const SessionKey& which) {
        run_to_end(sessions.drop(std::vector{which}));
    }

    testing_support::ManualClock clock;
    testing_support::SessionRows ledger;
    const SessionKey key{1, 2, 3};
};

TEST_F(RedisSessionsTest, ALookUpDoesNotAskTheLedger) {
    RedisNode node{RedisServer::shared().options()};
    RedisSessions sessions{node.client(), ledger, clock};
    open(sessions);
    const auto session = find(sessions);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->name, "Li");
    EXPECT_EQ(session->ends_at, clock.now() + 12h);
    EXPECT_EQ(ledger.finds, 0);
}

TEST_F(RedisSessionsTest, WhileTheLedgerIsAwaySessionsGoOnAndSlide) {
    RedisNode node{RedisServer::shared().options()};
    RedisSessions sessions{node.client(), ledger, clock};
    open(sessions);
    ledger.away = true;
    // The ledger should be asked again, since this copy was made on another run.
    node.ask({"HSET", Keys(node.client().options().prefix).session(key), "v", "other"});
    clock.move(29min);
    ASSERT_TRUE(find(sessions));
    EXPECT_EQ(ledger.finds, 1);
    std::vector<SessionLedger::Extension> extensions{{key, clock.now() + 30min}};
    EXPECT_THROW(run_to_end(sessions.extend(std::move(extensions))), Outage)
        << "it is not written, and the store keeps it for later";
    clock.move(29min);
    EXPECT_TRUE(find(sessions));
    EXPECT_EQ(ledger.finds, 1) << "the ledger is left alone for a while";
    clock.move(1min);
    EXPECT_THROW(find(sessions), Outage) << "the copy's time is over, and nobody knows better";
}

TEST_F(RedisSessionsTest, WhatSlidWhileTheLedgerWasAwayGoesOnAfterwards) {
    RedisNode node{RedisServer::shared().options()};
    RedisSessions sessions{node.client(), ledger, clock};
    open(sessions);
    ledger.away = true;
    clock.move(29min);
    std::vector<SessionLedger::Extension> extensions{{key, clock.now() + 30min}};
    EXPECT_THROW(run_to_end(sessions.extend(std::move(extensions))), Outage);
    clock.move(20min);
    ledger.away = false;
    node.ask({"HSET", Keys(node.client().options().prefix).session(key), "c", "0"});
    const auto session = find(sessions);
    ASSERT_TRUE(session) << "the row alone says that its time is over";
    EXPECT_EQ(session->expires_at, clock.now() + 10min);
    EXPECT_EQ(ledger.finds, 1);
}

TEST_F(RedisSessionsTest, ACopyIsComparedWithTheLedgerNowAndThen) {
    RedisNode node{RedisServer::shared().options()};
    RedisSessions sessions{node.client(), ledger, clock};
    const auto name = Keys(node.client().options().prefix).session(key);
    open(sessions);
    ledger.rows[key].role = Role::admin;
    EXPECT_EQ(find(sessions)->role, Role::buyer);
    for (const auto& [field, value] : {std::pair{"c", "0"}, std::pair{"v", "other"}}) {
        node.ask({"HSET", name, field, value, "r", "buyer"});
        EXPECT_EQ(find(sessions)->role, Role::admin) << field;
    }
    const auto asked = ledger.finds;
    EXPECT_EQ(find(sessions)->role, Role::admin);
    EXPECT_EQ(ledger.finds, asked) << "the copy was made anew";
    ledger.rows.clear();
    node.ask({"HSET", name, "c", "0"});
    EXPECT_FALSE(find(sessions));
}

TEST_F(RedisSessionsTest, ALookUpThatCrossesAChangeIsNotKept) {
    RedisNode node{RedisServer::shared().options()};
    RedisSessions sessions{node.client(), ledger, clock};
    const auto name = Keys(node.client().options().prefix).session(key);
    open(sessions);
    drop(sessions, key);
    // Another node drops it again, while the ledger is being read.
    ledger.during_find = [&] { RedisServer::shared().ask({"HSET", name, "t", "changed"}); };
    EXPECT_TRUE(find(sessions));
    EXPECT_EQ(ledger.finds, 1);
    ledger.during_find = nullptr;
    EXPECT_TRUE(find(sessions));
    EXPECT_EQ(ledger.finds, 2) << "the first look-up was not kept";
    EXPECT_TRUE(find(sessions));
    EXPECT_EQ(ledger.finds, 2) << "the second was";
}

TEST_F(RedisSessionsTest, CopiesDoNotStayForEver) {
    RedisNode node{RedisServer::shared().options()};
    RedisSessions sessions{node.client(), ledger, clock};
    const auto name = Keys(node.client().options().prefix).session(key);
    open(sessions);
    auto left = node.ask({"PTTL", name}).view().number();
    EXPECT_GT(left, 30 * 60'000);
    EXPECT_LE(left, 32 * 60'000);
    drop(sessions, key);
    left = node.ask({"PTTL", name}).view().number();
    EXPECT_GT(left, 0);
    EXPECT_LE(left, 600'000);
}

TEST_F(RedisSessionsTest, WhileRedisIsAwayTheLedgerIsAskedAndLogOutsAreMadeUpForLater) {
    RedisServer server{{"--save", "3600 1000000"}};
    auto options = server.options();
    options.patience = 2s;
    RedisNode node{options};
    RedisSessions sessions{node.client(), ledger, clock};
    open(sessions);
    EXPECT_EQ(sessions.freshness(), RedisSessions::kFreshness);
    server.ask({"SAVE"});
    server.kill();
    EXPECT_TRUE(find(sessions));
    EXPECT_EQ(ledger.finds, 1);
    EXPECT_EQ(sessions.freshness(), RedisSessions::kFreshnessWithoutCopies);
    ledger.rows.clear();
    drop(sessions, key);
    server.start();  // with the copy that was saved
    const Keys keys(options.prefix);
    EXPECT_TRUE(eventually([&] {
        run_to_end(sessions.catch_up());
        return server.ask({"HEXISTS", keys.session(key), "u"}) == "0\n";
    }));
    EXPECT_FALSE(find(sessions));
    EXPECT_EQ(sessions.freshness(), RedisSessions::kFreshness);
}

}  // namespace
}  // namespace sluice::redis
