#include "adapters/memory/memory_session_store.hpp"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/session_rows.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

constexpr auto kLength = 30min;
constexpr auto kLongest = 12h;
constexpr SessionTerms kTerms{.length = kLength, .longest = kLongest};

class MemorySessionStoreTest : public testing::Test {
  protected:
    static SessionName name_of(const SessionKey& key) {
        SessionName name{.key = key};
        std::ranges::copy_n(key.begin(), name.handle.size(), name.handle.begin());
        return name;
    }
    std::optional<Caller> find() { return run_to_end(store.find(name, clock.now())); }
    std::optional<Caller> peek() { return store.peek(name.handle, clock.now()); }
    void open(const SessionKey& opened, UserId whose) {
        run_to_end(
            store.open(name_of(opened), {.user = whose, .password_hash = "hash"}, clock.now()));
    }
    void open() { open(key, user); }

    testing_support::ManualClock clock;
    testing_support::SessionRows ledger;
    MemorySessionStore store{ledger, kTerms};
    const UserId user{5};
    const SessionKey key{1, 2, 3};
    const SessionName name = name_of(key);
};

TEST_F(MemorySessionStoreTest, AnOpenSessionIsKnownWithoutWaiting) {
    EXPECT_FALSE(peek());
    open();
    const auto caller = peek();
    ASSERT_TRUE(caller);
    EXPECT_EQ(caller->id, user);
    EXPECT_EQ(caller->session, key);
    EXPECT_EQ(caller->session_expires_at, clock.now() + kLength);
    EXPECT_EQ(run_to_end(store.user_name(key, clock.now())), "Li");
    EXPECT_EQ(ledger.finds, 0);
}

TEST_F(MemorySessionStoreTest, TheNameOfAUserIsKnownWithoutTheSessionInMemory) {
    ledger.rows[key] = {user, "Li", Role::buyer, clock.now() + kLength};
    EXPECT_EQ(run_to_end(store.user_name(key, clock.now())), "Li");
    EXPECT_EQ(run_to_end(store.user_name(key, clock.now() + kLength)), "");
}

TEST_F(MemorySessionStoreTest, ASessionSlidesWithEachUseAndEndsAtItsInstant) {
    open();
    clock.move(kLength - 1ms);
    EXPECT_TRUE(peek());
    clock.move(kLength - 1ms);
    EXPECT_TRUE(peek());
    clock.move(kLength);
    EXPECT_FALSE(peek());
    EXPECT_FALSE(find());
}

TEST_F(MemorySessionStoreTest, ASessionHasAnEndHoweverOftenItIsUsed) {
    open();
    const auto end = clock.now() + kLongest;
    while (clock.now() + 20min < end) {
        clock.move(20min);
        const auto caller = peek();
        ASSERT_TRUE(caller);
        EXPECT_LE(caller->session_expires_at, end);
    }
    run_to_end(store.write_extensions());
    EXPECT_EQ(ledger.rows.at(key).expires_at, end);
    clock.move(end - clock.now() - 1ms);
    EXPECT_TRUE(peek());
    MemorySessionStore after_restart{ledger, kTerms};
    EXPECT_TRUE(run_to_end(after_restart.find(name, clock.now())));
    clock.move(1ms);
    EXPECT_FALSE(peek());
    EXPECT_FALSE(find());
    EXPECT_FALSE(run_to_end(after_restart.find(name, clock.now())));
}

TEST_F(MemorySessionStoreTest, WhereItIsAskedForStaffLackASecondFactorUntilTheyShowIt) {
    MemorySessionStore strict{ledger, {.staff_need_second_factor = true}};
    const auto lacks = [&](Role role, bool strong) {
        ledger.role = role;
        const auto caller = run_to_end(strict.open(
            name, {.user = user, .password_hash = "hash", .strong = strong}, clock.now()));
        return caller->lacks_second_factor;
    };
    EXPECT_FALSE(lacks(Role::buyer, false));
    EXPECT_TRUE(lacks(Role::support, false));
    EXPECT_FALSE(lacks(Role::support, true));
    EXPECT_TRUE(lacks(Role::operator_, false));
    EXPECT_TRUE(lacks(Role::admin, false));
    EXPECT_FALSE(lacks(Role::admin, true));
    ledger.role = Role::admin;
    open();
    EXPECT_FALSE(peek()->lacks_second_factor) << "where it is not asked for";
}

TEST_F(MemorySessionStoreTest, TheLedgerKeepsTheNetworkOfTheLogIn) {
    const auto household = household_of(*Address::parse("2001:db8::7"));
    run_to_end(store.open(name, {.user = user, .password_hash = "hash", .network = household},
                          clock.now()));
    EXPECT_EQ(ledger.network, household);
    open();
    EXPECT_FALSE(ledger.network);
}

TEST_F(MemorySessionStoreTest, WhatTheLedgerHasEndedIsForgotten) {
    open();
    ledger.rows.clear();
    run_to_end(store.forget(std::vector{key}));
    EXPECT_FALSE(peek());
    EXPECT_FALSE(find());
}

TEST_F(MemorySessionStoreTest, AskingWhetherItLivesDoesNotKeepItAlive) {
    open();
    clock.move(kLength - 1ms);
    EXPECT_TRUE(run_to_end(store.lives(key, clock.now())));
    clock.move(1ms);
    EXPECT_EQ(ledger.finds, 0) << "known without asking";
    EXPECT_FALSE(run_to_end(store.lives(key, clock.now())));
}

TEST_F(MemorySessionStoreTest, WhetherItLivesIsLookedUpOnce) {
    EXPECT_FALSE(run_to_end(store.lives(key, clock.now())));
    EXPECT_FALSE(run_to_end(store.lives(key, clock.now())));
    EXPECT_EQ(ledger.finds, 1);
    store.forget_all();
    ledger.rows[key] = {user, "Li", Role::buyer, clock.now() + 1ms};
    EXPECT_TRUE(run_to_end(store.lives(key, clock.now())));
    EXPECT_TRUE(run_to_end(store.lives(key, clock.now())));
    EXPECT_EQ(ledger.finds, 2);
    EXPECT_EQ(ledger.rows.at(key).expires_at, clock.now() + 1ms);
    run_to_end(store.close(key));
    EXPECT_FALSE(run_to_end(store.lives(key, clock.now())));
}

TEST_F(MemorySessionStoreTest, ARestartLosesAtMostAMinuteOfSliding) {
    open();
    clock.move(20min);
    peek();
    run_to_end(store.write_extensions());
    EXPECT_EQ(ledger.rows.at(key).expires_at, clock.now() + kLength);
    clock.move(59s);
    peek();
    run_to_end(store.write_extensions());
    EXPECT_EQ(ledger.rows.at(key).expires_at, clock.now() + kLength - 59s)
        << "not worth a write yet";
    MemorySessionStore after_restart{ledger, kTerms};
    EXPECT_TRUE(run_to_end(after_restart.find(name, clock.now() + kLength - 1min)));
}

TEST_F(MemorySessionStoreTest, ASessionDoesNotOutliveItsRow) {
    open();
    ledger.rows.clear();
    clock.move(2min);
    EXPECT_TRUE(peek()) << "nobody has told us";
    run_to_end(store.write_extensions());
    EXPECT_FALSE(peek()) << "else nothing could end it any more";
    EXPECT_FALSE(find());
}

TEST_F(MemorySessionStoreTest, AShortSessionIsWrittenDownInTime) {
    MemorySessionStore brief{ledger, {.length = 1min}};
    run_to_end(brief.open(name, {.user = user, .password_hash = "hash"}, clock.now()));
    clock.move(15s);
    brief.peek(name.handle, clock.now());
    run_to_end(brief.write_extensions());
    EXPECT_EQ(ledger.rows.at(key).expires_at, clock.now() + 1min);
}

TEST_F(MemorySessionStoreTest, ExtensionsThatCannotBeWrittenAreKept) {
    open();
    clock.move(10min);
    peek();
    ledger.away = true;
    EXPECT_THROW(run_to_end(store.write_extensions()), Outage);
    ledger.away = false;
    run_to_end(store.write_extensions());
    EXPECT_EQ(ledger.rows.at(key).expires_at, clock.now() + kLength);
}

TEST_F(MemorySessionStoreTest, AMintedSessionIsNotMadeShorter) {
    ledger.rows[key] = {user, "Li", Role::buyer, clock.now() + 24h};
    EXPECT_EQ(find()->session_expires_at, clock.now() + 24h);
}

TEST_F(MemorySessionStoreTest, AClosedSessionIsGone) {
    open();
    run_to_end(store.close(key));
    EXPECT_FALSE(peek());
    EXPECT_FALSE(find());
}

TEST_F(MemorySessionStoreTest, ClosingAllLeavesOtherUsersAlone) {
    open();
    const SessionKey second{9, 9}, others{7, 7};
    open(second, user);
    open(others, UserId{6});
    run_to_end(store.close_all(user));
    EXPECT_FALSE(find());
    EXPECT_FALSE(run_to_end(store.find(name_of(second), clock.now())));
    EXPECT_TRUE(store.peek(name_of(others).handle, clock.now()));
}

TEST_F(MemorySessionStoreTest, ARefreshedUserIsAskedForAgain) {
    open();
    ledger.rows[key].role = Role::operator_;
    EXPECT_EQ(find()->role, Role::buyer);
    run_to_end(store.refresh(user));
    EXPECT_EQ(find()->role, Role::operator_);
}

TEST_F(MemorySessionStoreTest, ALookUpThatCrossesARefreshIsNotKept) {
    ledger.rows[key] = {user, "Li", Role::buyer, clock.now() + kLength};
    ledger.during_find = [this] {
        ledger.during_find = nullptr;
        std::thread([this] { run_to_end(store.refresh(user)); }).join();
    };
    find();
    EXPECT_FALSE(peek()) << "its role may be older than the change";
}

TEST_F(MemorySessionStoreTest, AbsenceIsAskedForOnce) {
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(find());
    EXPECT_EQ(ledger.finds, 1);
    store.forget_all();
    EXPECT_FALSE(find());
    EXPECT_EQ(ledger.finds, 2);
}

TEST_F(MemorySessionStoreTest, ALookUpThatCrossesALogOutIsNotKept) {
    ledger.rows[key] = {user, "Li", Role::buyer, clock.now() + kLength};
    ledger.during_find = [this] {
        ledger.during_find = nullptr;
        // Somebody logs out after the ledger was read and before the answer has arrived.
        const auto row = ledger.rows.at(key);
        std::thread([this] { run_to_end(store.close(key)); }).join();
        ledger.rows[key] = row;
    };
    find();
    EXPECT_FALSE(peek()) << "what was read is older than the log-out";
}

TEST_F(MemorySessionStoreTest, APasswordChangedMeanwhileOpensNothing) {
    EXPECT_FALSE(run_to_end(
        store.open(name, {.user = user, .password_hash = "an older hash"}, clock.now())));
    EXPECT_FALSE(peek());
}

TEST_F(MemorySessionStoreTest, ALookUpThatCrossesAChangeIsNotKept) {
    ledger.rows[key] = {user, "Li", Role::buyer, clock.now() + kLength};
    ledger.during_find = [this] {
        ledger.during_find = nullptr;
        store.forget_all();
    };
    EXPECT_TRUE(find());
    EXPECT_FALSE(peek()) << "the role may be older than the change";
}

TEST_F(MemorySessionStoreTest, AnOpeningThatCrossesAChangeIsNotKept) {
    ledger.during_find = [this] {
        ledger.during_find = nullptr;
        store.forget_all();
    };
    open();
    EXPECT_FALSE(peek()) << "the role may be older than the change";
    EXPECT_TRUE(find());
}

TEST_F(MemorySessionStoreTest, IsBounded) {
    MemorySessionStore small{ledger, kTerms, 160};
    for (unsigned char i = 0; i < 250; ++i) {
        run_to_end(
            small.open(name_of({i, 1}), {.user = user, .password_hash = "hash"}, clock.now()));
    }
    int remembered = 0;
    for (unsigned char i = 0; i < 250; ++i) {
        if (small.peek(name_of({i, 1}).handle, clock.now())) ++remembered;
        EXPECT_TRUE(run_to_end(small.find(name_of({i, 1}), clock.now())))
            << "the ledger knows them all";
    }
    EXPECT_LE(remembered, 160);
}

}  // namespace
}  // namespace sluice
