// Sessions shared by two event loops of one process, and by two nodes.

#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "adapters/memory/memory_session_store.hpp"
#include "adapters/redis/redis_sessions.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/session_rows.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing_support::ManualClock;
using testing_support::SessionRows;

constexpr auto kLength = 30min;
constexpr auto kLongest = 12h;
constexpr SessionTerms kTerms{.length = kLength, .longest = kLongest};
/// Within this time a change by one must reach the other.
constexpr auto kBound = redis::RedisSessions::kFreshness;

/// Two clients of the same sessions.
class TwoStores {
  public:
    virtual ~TwoStores() = default;
    virtual MemorySessionStore& first() = 0;
    virtual MemorySessionStore& second() = 0;
};

class OneProcess final : public TwoStores {
  public:
    OneProcess(SessionLedger& ledger, const Clock&) : store_(ledger, kTerms) {}
    MemorySessionStore& first() override { return store_; }
    MemorySessionStore& second() override { return store_; }

  private:
    MemorySessionStore store_;
};

class TwoNodes final : public TwoStores {
  public:
    TwoNodes(SessionLedger& ledger, const Clock& clock)
        : first_(options_, ledger, clock), second_(options_, ledger, clock) {}
    MemorySessionStore& first() override { return first_.store; }
    MemorySessionStore& second() override { return second_.store; }

  private:
    struct Node {
        Node(const redis::Options& options, SessionLedger& ledger, const Clock& clock)
            : redis(options), sessions(redis.client(), ledger, clock) {}

        testing_support::RedisNode redis;
        redis::RedisSessions sessions;
        MemorySessionStore store{sessions, kTerms, 1'000, &sessions};
    };
    const redis::Options options_ = testing_support::RedisServer::shared().options();
    Node first_, second_;
};

struct StoreMaker {
    const char* name;
    std::unique_ptr<TwoStores> (*make)(SessionLedger&, const Clock&);
};

template <class Stores>
StoreMaker maker(const char* name) {
    return {name, [](SessionLedger& ledger, const Clock& clock) -> std::unique_ptr<TwoStores> {
                return std::make_unique<Stores>(ledger, clock);
            }};
}

class SessionStoreContract : public testing::TestWithParam<StoreMaker> {
  protected:
    static SessionName name_of(const SessionKey& key) {
        SessionName name{.key = key};
        std::ranges::copy_n(key.begin(), name.handle.size(), name.handle.begin());
        return name;
    }
    void open(MemorySessionStore& store, const SessionKey& which) {
        run_to_end(
            store.open(name_of(which), {.user = user, .password_hash = "hash"}, clock.now()));
    }
    std::optional<Caller> look(MemorySessionStore& store, const SessionKey& which) {
        if (const auto caller = store.peek(name_of(which).handle, clock.now())) return caller;
        return run_to_end(store.find(name_of(which), clock.now()));
    }
    bool lives(MemorySessionStore& store, const SessionKey& which) {
        return run_to_end(store.lives(which, clock.now()));
    }

    ManualClock clock;
    SessionRows ledger;
    const std::unique_ptr<TwoStores> stores = GetParam().make(ledger, clock);
    MemorySessionStore& first = stores->first();
    MemorySessionStore& second = stores->second();
    const UserId user{5};
    const SessionKey key{1, 2, 3};
    const SessionKey other{4, 5, 6};
};

TEST_P(SessionStoreContract, WhatIsOpenedHereIsFoundThere) {
    ledger.role = Role::operator_;
    open(first, key);
    const auto caller = look(second, key);
    ASSERT_TRUE(caller);
    EXPECT_EQ(caller->id, user);
    EXPECT_EQ(caller->role, Role::operator_);
    EXPECT_EQ(caller->session, key);
    EXPECT_EQ(caller->session_expires_at, clock.now() + kLength);
    EXPECT_TRUE(second.peek(name_of(key).handle, clock.now())) << "the second look costs nothing";
}

TEST_P(SessionStoreContract, ALogOutReachesEverybodyWithinTheBound) {
    open(first, key);
    ASSERT_TRUE(look(second, key));
    ASSERT_TRUE(lives(second, key));
    run_to_end(first.close(key));
    EXPECT_FALSE(look(first, key));
    clock.move(kBound);
    EXPECT_FALSE(look(second, key));
    EXPECT_FALSE(lives(second, key));
}

TEST_P(SessionStoreContract, LoggingOutEverywhereReachesEverybodyWithinTheBound) {
    open(first, key);
    open(second, other);
    ASSERT_TRUE(look(second, key));
    run_to_end(first.close_all(user));
    clock.move(kBound);
    for (auto* const store : {&first, &second}) {
        EXPECT_FALSE(look(*store, key));
        EXPECT_FALSE(look(*store, other));
    }
}

TEST_P(SessionStoreContract, ANewRoleReachesEverybodyWithinTheBound) {
    open(first, key);
    ASSERT_TRUE(look(second, key));
    ledger.rows[key].role = Role::admin;
    run_to_end(first.refresh(user));
    EXPECT_EQ(look(first, key)->role, Role::admin);
    clock.move(kBound);
    EXPECT_EQ(look(second, key)->role, Role::admin);
}

TEST_P(SessionStoreContract, WhatTheLedgerHasEndedIsForgottenEverywhere) {
    open(first, key);
    open(first, other);
    ASSERT_TRUE(look(second, key));
    ledger.rows.erase(key);
    std::vector<SessionKey> ended{key};
    run_to_end(first.forget(std::move(ended)));
    EXPECT_FALSE(look(first, key));
    clock.move(kBound);
    EXPECT_FALSE(look(second, key));
    EXPECT_TRUE(look(second, other));
}

TEST_P(SessionStoreContract, UseHereKeepsItAliveThere) {
    open(first, key);
    for (int i = 0; i < 4; ++i) {
        clock.move(kLength - 2min);
        auto& used = i % 2 == 0 ? second : first;
        ASSERT_TRUE(look(used, key)) << i;
        run_to_end(used.write_extensions());
    }
    clock.move(kLength);
    EXPECT_FALSE(look(second, key));
    EXPECT_FALSE(look(first, key));
}

TEST_P(SessionStoreContract, AStreamThatIsUsedKeepsItAliveThere) {
    open(first, key);
    ASSERT_TRUE(look(second, key));
    clock.move(kLength - 1ms);
    ASSERT_TRUE(lives(second, key));
    second.touch(key, clock.now());
    run_to_end(second.write_extensions());
    clock.move(kLength - 1ms);
    EXPECT_TRUE(look(first, key));
}

TEST_P(SessionStoreContract, AskingWhetherItLivesMovesNothing) {
    open(first, key);
    for (int i = 0; i < 3; ++i) {
        clock.move(kLength / 3);
        EXPECT_EQ(lives(second, key), i < 2) << i;
    }
}

TEST_P(SessionStoreContract, ItHasAnEndHoweverOftenItIsUsed) {
    open(first, key);
    const auto end = clock.now() + kLongest;
    while (clock.now() + kLength / 2 < end) {
        ASSERT_TRUE(look(first, key));
        ASSERT_TRUE(look(second, key));
        run_to_end(first.write_extensions());
        run_to_end(second.write_extensions());
        clock.move(kLength / 2);
    }
    EXPECT_EQ(look(second, key)->session_expires_at, end);
    clock.move(end - clock.now());
    EXPECT_FALSE(look(first, key));
    EXPECT_FALSE(look(second, key));
}

TEST_P(SessionStoreContract, WhoWasAbsentMayComeLater) {
    EXPECT_FALSE(look(second, key));
    clock.move(kBound);
    open(first, key);
    clock.move(kBound);
    EXPECT_TRUE(look(first, key));
    if (&first != &second) {
        EXPECT_TRUE(look(second, key));
    }
}

INSTANTIATE_TEST_SUITE_P(Stores, SessionStoreContract,
                         testing::Values(maker<OneProcess>("Memory"), maker<TwoNodes>("Redis")),
                         [](const auto& made) { return std::string(made.param.name); });

}  // namespace
}  // namespace sluice
