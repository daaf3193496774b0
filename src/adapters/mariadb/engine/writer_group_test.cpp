#include "adapters/mariadb/engine/writer_group.hpp"

#include <atomic>
#include <future>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "adapters/mariadb/engine/reader_pool.hpp"
#include "adapters/sql/rows.hpp"
#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "domain/refusal.hpp"
#include "support/mariadb_server.hpp"
#include "support/test_loop.hpp"

namespace sluice::mariadb {
namespace {

using namespace std::chrono_literals;
using testing_support::MariadbServer;
using testing_support::shared_mariadb;

constexpr auto kPatience = 20s;

constexpr auto kRead = "SELECT value FROM settings WHERE name = ?1";
constexpr auto kWrite = "REPLACE INTO settings (name, value, changed_at) VALUES (?1, ?2, 0)";

/// As ordinary work does it: what was read decides what is written.
Done count_up(sql::Database& database) {
    const auto before = database.row<std::int64_t>(kRead, "count").value_or(0);
    database.run(kWrite, "count", before + 1);
    return {};
}

class WriterGroupTest : public testing::Test {
  protected:
    testing_support::TestLoop loop;
    testing_support::MariadbDatabase database;
    int failed = 0;

    void start(Task<Done> task) {
        loop.spawn(std::move(task), [this](std::exception_ptr error, Done) {
            if (error) ++failed;
        });
    }
    std::int64_t count() {
        Connection connection(database.address());
        connection.connect();
        return connection.row<std::int64_t>(kRead, "count").value_or(0);
    }
    template <class Condition>
    static bool comes_true(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            std::this_thread::yield();
        }
        return true;
    }
};

TEST_F(WriterGroupTest, ReadersSeeWhatACallerWasToldOf) {
    WriterGroup writer(database.address(), {});
    ReaderPool readers(database.address(), 2, 100);
    for (std::int64_t i = 1; i <= 20; ++i) {
        run_to_end(writer.write<Done>(count_up));
        auto look = [](sql::Database& one) { return *one.row<std::int64_t>(kRead, "count"); };
        EXPECT_EQ(run_to_end(readers.read<std::int64_t>(look)), i);
    }
    EXPECT_EQ(writer.commits(), 20u);
}

TEST_F(WriterGroupTest, AJobThatFailsOrRefusesTakesNoOtherWithIt) {
    WriterGroup writer(database.address(), {});
    std::latch gate(1);
    start(writer.write<Done>([&](sql::Database&) {
        gate.wait();
        return Done{};
    }));
    loop.poll();
    for (int i = 0; i < 3; ++i) start(writer.write<Done>(count_up));
    start(writer.write<Done>([](sql::Database& one) -> Done {
        count_up(one);
        throw std::logic_error("no");
    }));
    auto refuses = [](sql::Database& one) -> Outcome<Done> {
        count_up(one);
        return refuse(Reason::conflict);
    };
    bool refused = false;
    loop.spawn(writer.write<Outcome<Done>>(refuses),
               [&](std::exception_ptr, Outcome<Done> outcome) { refused = !outcome; });
    start(writer.write<Done>(count_up));
    loop.poll();
    gate.count_down();
    loop.run();
    EXPECT_EQ(failed, 1);
    EXPECT_TRUE(refused);
    EXPECT_EQ(count(), 4);
    EXPECT_LE(writer.commits(), 3u);
}

TEST_F(WriterGroupTest, TwoGroupsThatReadBeforeTheyWriteLoseNothing) {
    WriterGroup one(database.address(), {.batch = 3});
    WriterGroup two(database.address(), {.batch = 3});
    for (int i = 0; i < 100; ++i) {
        start(one.write<Done>(count_up));
        start(two.write<Done>(count_up));
    }
    loop.run();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(count(), 200);
    EXPECT_EQ(one.retries() + two.retries(), 0u) << "they take turns";
}

TEST_F(WriterGroupTest, ATransactionThatIsUndoneForAnotherIsRunAgain) {
    int undone = 0;
    WriterGroup writer(database.address(), {.after_transaction = [&](bool committed) {
                           if (!committed) ++undone;
                       }});
    Connection other(database.address());
    other.connect();
    other.run(kWrite, "count", 10);
    // The other transaction has changed more, so it is the writer's that is undone.
    other.begin("SERIALIZABLE", std::nullopt, "");
    for (int i = 0; i < 50; ++i) other.run(kWrite, "other" + std::to_string(i), i);
    other.row<std::int64_t>(kRead, "count");
    std::promise<void> has_read;
    std::atomic<int> runs = 0;
    std::jthread upgrades([&] {
        has_read.get_future().wait();
        other.run("UPDATE settings SET value = value + 100 WHERE name = 'count'");
        other.run_script("COMMIT");
    });
    run_to_end(writer.write<Done>([&](sql::Database& one) {
        const auto before = one.row<std::int64_t>(kRead, "count").value();
        if (++runs == 1) has_read.set_value();
        one.run("UPDATE settings SET value = ?1 WHERE name = 'count'", before + 1);
        return Done{};
    }));
    upgrades.join();
    EXPECT_EQ(count(), 111);
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(undone, 1);
    EXPECT_EQ(writer.retries(), 1u);
}

TEST_F(WriterGroupTest, AConnectionThatTheServerHasEndedIsReplacedInSilence) {
    WriterGroup writer(database.address(), {});
    run_to_end(writer.write<Done>(count_up));
    Connection admin(database.address());
    admin.connect();
    const auto ids = admin
                         .rows<std::int64_t>(
                             "SELECT id FROM information_schema.processlist "
                             "WHERE db = database() AND id <> connection_id()")
                         .to_vector();
    for (const auto id : ids) admin.run_script("KILL " + std::to_string(id));
    run_to_end(writer.write<Done>(count_up));
    EXPECT_EQ(count(), 2);
}

TEST_F(WriterGroupTest, AConnectionThatIsLostInsideATransactionLeavesNothing) {
    WriterGroup writer(database.address(), {});
    EXPECT_THROW(run_to_end(writer.write<Done>([](sql::Database& one) {
                     count_up(one);
                     const auto id = one.value<std::int64_t>("SELECT connection_id()");
                     shared_mariadb().run("KILL " + std::to_string(id));
                     return count_up(one);
                 })),
                 Outage);
    EXPECT_EQ(count(), 0);
    run_to_end(writer.write<Done>(count_up));
    EXPECT_EQ(count(), 1);
}

TEST_F(WriterGroupTest, WhatIsLostBeforeTheCommitIsNeverRepeated) {
    WriterGroup writer(database.address(), {});
    std::atomic<int> runs = 0;
    EXPECT_THROW(run_to_end(writer.write<Done>([&](sql::Database& one) {
                     ++runs;
                     count_up(one);
                     // The note of the commit, the next statement, finds the connection gone.
                     const auto id = one.value<std::int64_t>("SELECT connection_id()");
                     shared_mariadb().run("KILL " + std::to_string(id));
                     return Done{};
                 })),
                 Outage);
    EXPECT_EQ(runs, 1) << "it is never repeated by itself";
}

TEST_F(WriterGroupTest, TheCommitsOfOthersAreNoticedAndNotOurOwn) {
    WriterGroup ours(database.address(), {.check_others = 10ms});
    WriterGroup theirs(database.address(), {.check_others = 10ms});
    std::atomic<int> noticed = 0;
    std::atomic<int> noticed_there = 0;
    ours.on_external_change([&] { ++noticed; });
    theirs.on_external_change([&] { ++noticed_there; });
    run_to_end(ours.write<Done>(count_up));
    EXPECT_TRUE(comes_true([&] { return noticed_there == 1; }));
    EXPECT_EQ(noticed, 0);
    run_to_end(theirs.write<Done>(count_up));
    EXPECT_TRUE(comes_true([&] { return noticed == 1; }));
}

TEST(WriterGroupOnItsOwnServer, TurnsGoodAgainAfterACrashOfTheServer) {
    MariadbServer server;
    server.run("CREATE DATABASE shop");
    const auto address = server.address("shop");
    {
        Connection connection(address);
        connection.connect();
        connection.run_script(
            "CREATE TABLE settings (name VARCHAR(99) PRIMARY KEY, value BIGINT, changed_at BIGINT);"
            "CREATE TABLE ledger_turn (one INT PRIMARY KEY); INSERT INTO ledger_turn VALUES (1);"
            "CREATE TABLE ledger_writers (process BIGINT, seat BIGINT, commits BIGINT, "
            "seen_at BIGINT, PRIMARY KEY (process, seat));"
            "CREATE TABLE write_probe (id BIGINT PRIMARY KEY, filler LONGBLOB)");
    }
    WriterGroup writer(address, {.check_others = 20ms});
    ReaderPool readers(address, 1, 100);
    const auto read = [&] {
        return run_to_end(readers.read<std::int64_t>(
            [](sql::Database& one) { return one.row<std::int64_t>(kRead, "count").value_or(0); }));
    };
    run_to_end(writer.write<Done>(count_up));
    EXPECT_EQ(read(), 1);
    server.kill();
    EXPECT_THROW(run_to_end(writer.write<Done>(count_up)), Outage);
    EXPECT_THROW(read(), Outage);
    EXPECT_FALSE(writer.health().ok);
    EXPECT_NE(writer.health().detail, "");
    server.start();
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!writer.health().ok && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
    EXPECT_TRUE(writer.health().ok) << writer.health().detail;
    run_to_end(writer.write<Done>(count_up));
    for (;;) {
        try {
            EXPECT_EQ(read(), 2);
            break;
        } catch (const Outage&) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
        }
    }
    server.freeze();
    const auto before = std::chrono::steady_clock::now();
    EXPECT_THROW(run_to_end(writer.write<Done>(count_up)), Outage);
    EXPECT_LT(std::chrono::steady_clock::now() - before, 5s);
    server.thaw();
}

}  // namespace
}  // namespace sluice::mariadb
