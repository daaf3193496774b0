#include "adapters/sqlite/engine/writer.hpp"

#include <atomic>
#include <future>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/reader_pool.hpp"
#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "domain/refusal.hpp"
#include "support/temp_folder.hpp"
#include "support/test_loop.hpp"

namespace sluice::sqlite {
namespace {

constexpr std::chrono::seconds kPatience{20};

class WriterTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";
    testing_support::TestLoop loop;
    std::latch gate{1};
    int told = 0;
    int outages = 0;
    int overloads = 0;

    void SetUp() override { migrate(file); }

    Writer make_writer(WriterOptions options = {}) {
        return Writer(Database::open_writer(file), options);
    }

    /// Keeps the writer inside a transaction of its own until the gate is opened.
    void hold(Writer& writer) {
        std::promise<void> entered;
        auto inside = entered.get_future();
        start(writer.write<Done>([this, &entered](Database&) {
            entered.set_value();
            gate.wait();
            return Done{};
        }));
        loop.poll();
        inside.wait();
    }

    template <class T>
    void start(Task<T> task) {
        loop.spawn(std::move(task), [this](std::exception_ptr error, T) {
            ++told;
            try {
                if (error) std::rethrow_exception(error);
            } catch (const Outage&) {
                ++outages;
            } catch (const Overload&) {
                ++overloads;
            } catch (...) {
            }
        });
    }

    static Task<Done> add_user(Writer& writer, std::int64_t id) {
        return writer.write<Done>([id](Database& database) { return insert_user(database, id); });
    }
    static Done insert_user(Database& database, std::int64_t id) {
        database.run("INSERT INTO users VALUES (?1, ?2, '', 'buyer', NULL, 0)", id,
                     std::to_string(id));
        return Done{};
    }
    /// Needs far more pages than a database has left that may not grow.
    static Task<Done> add_bulk(Writer& writer) {
        return writer.write<Done>([](Database& database) {
            database.run("INSERT INTO write_probe VALUES (1, zeroblob(3000000))");
            return Done{};
        });
    }
    static Task<Done> limit_pages(Writer& writer, std::string_view pragma) {
        return writer.write<Done>([pragma](Database& database) {
            database.run(pragma);
            return Done{};
        });
    }
    std::int64_t count_users() {
        auto database = Database::open_reader(file);
        return database.value<std::int64_t>("SELECT count(*) FROM users");
    }
};

TEST_F(WriterTest, WritesWhateverWaitsWithOneCommit) {
    auto writer = make_writer();
    hold(writer);
    for (int id = 1; id <= 300; ++id) start(add_user(writer, id));
    loop.poll();
    EXPECT_EQ(writer.waiting(), 300U);
    EXPECT_EQ(told, 0);

    gate.count_down();
    loop.run();
    EXPECT_EQ(told, 301);
    EXPECT_EQ(outages, 0);
    EXPECT_EQ(writer.commits(), 2U);
    EXPECT_EQ(count_users(), 300);
}

TEST_F(WriterTest, ABatchHasABound) {
    auto writer = make_writer({.batch = 100});
    hold(writer);
    for (int id = 1; id <= 250; ++id) start(add_user(writer, id));
    loop.poll();
    gate.count_down();
    loop.run();
    EXPECT_EQ(writer.commits(), 4U);
    EXPECT_EQ(count_users(), 250);
}

TEST_F(WriterTest, NobodyIsToldBeforeTheCommit) {
    auto writer = make_writer();
    hold(writer);
    std::promise<void> entered;
    std::latch second_gate{1};
    start(add_user(writer, 1));
    start(writer.write<Done>([&](Database&) {
        entered.set_value();
        second_gate.wait();
        return Done{};
    }));
    loop.poll();
    gate.count_down();
    entered.get_future().wait();

    // User 1 is written but not committed.
    loop.poll();
    EXPECT_EQ(told, 1) << "only the holder of the first transaction";
    EXPECT_EQ(count_users(), 0);
    second_gate.count_down();
    loop.run();
    EXPECT_EQ(told, 3);
    EXPECT_EQ(count_users(), 1);
}

TEST_F(WriterTest, AFailingJobTakesNoOtherWithIt) {
    auto writer = make_writer();
    hold(writer);
    start(add_user(writer, 1));
    start(writer.write<Done>([](Database& database) {
        insert_user(database, 2);
        return insert_user(database, 1);  // breaks a constraint
    }));
    start(writer.write<Done>([](Database& database) -> Done {
        insert_user(database, 3);
        throw std::logic_error("a bug");
    }));
    start(writer.write<Outcome<Done>>([](Database& database) -> Outcome<Done> {
        insert_user(database, 4);
        return refuse(Reason::conflict);
    }));
    start(add_user(writer, 5));
    loop.poll();
    gate.count_down();
    loop.run();
    EXPECT_EQ(told, 6);
    EXPECT_EQ(outages, 0);
    EXPECT_EQ(writer.commits(), 2U);
    EXPECT_EQ(count_users(), 2) << "users 1 and 5";
    EXPECT_TRUE(writer.health().ok) << "neither bugs nor refusals make the disk ill";
}

TEST_F(WriterTest, TheErrorOfABrokenStatementIsNoOutage) {
    auto writer = make_writer();
    EXPECT_THROW(run_to_end(writer.write<Done>([](Database& database) {
                     database.run("SELECT nothing");
                     return Done{};
                 })),
                 Error);
}

TEST_F(WriterTest, AFullDiskIsAnOutageForTheWholeBatchAndPasses) {
    auto writer = make_writer();
    // SQLite never lets the limit be below the number of existing pages.
    run_to_end(limit_pages(writer, "PRAGMA max_page_count = 1"));
    hold(writer);
    start(add_user(writer, 1));
    start(add_bulk(writer));
    start(add_user(writer, 2));
    loop.poll();
    gate.count_down();
    loop.run();
    EXPECT_EQ(told, 4);
    EXPECT_EQ(outages, 3) << "SQLite took user 1 back, user 2 was never tried";
    EXPECT_EQ(count_users(), 0);
    EXPECT_FALSE(writer.health().ok);
    EXPECT_NE(writer.health().detail.find("full"), std::string::npos) << writer.health().detail;

    run_to_end(limit_pages(writer, "PRAGMA max_page_count = 1000000"));
    run_to_end(add_bulk(writer));
    run_to_end(add_user(writer, 1));
    EXPECT_TRUE(writer.health().ok);
    EXPECT_EQ(count_users(), 1);
}

TEST_F(WriterTest, ReadsGoOnWhileTheDiskIsFull) {
    auto writer = make_writer();
    ReaderPool readers(file, 1, 8);
    run_to_end(add_user(writer, 1));
    run_to_end(limit_pages(writer, "PRAGMA max_page_count = 1"));
    EXPECT_THROW(run_to_end(add_bulk(writer)), ReadOnly);
    const auto count = run_to_end(readers.read<std::int64_t>([](sql::Database& database) {
        return database.value<std::int64_t>("SELECT count(*) FROM users");
    }));
    EXPECT_EQ(count, 1);
}

TEST_F(WriterTest, AStoreThatTakesNoWritesIsReadOnly) {
    auto writer = make_writer();
    run_to_end(add_user(writer, 1));
    auto read_only = Database::open_writer(file);
    read_only.run("PRAGMA query_only = ON");
    Writer other(std::move(read_only), {});
    EXPECT_THROW(run_to_end(add_user(other, 2)), ReadOnly);
    EXPECT_FALSE(other.health().ok);
    run_to_end(add_user(writer, 3));
    EXPECT_EQ(count_users(), 2);
}

TEST_F(WriterTest, ALockThatIsNotGivenIsNoReadOnlyStore) {
    auto other = Database::open_writer(file);
    auto impatient = Database::open_writer(file);
    impatient.run("PRAGMA busy_timeout = 1");
    Writer writer(std::move(impatient), {});
    other.run("BEGIN IMMEDIATE");
    try {
        run_to_end(add_user(writer, 1));
        FAIL() << "somebody else has the lock";
    } catch (const ReadOnly&) {
        FAIL() << "the store takes writes, though not ours";
    } catch (const Outage&) {
    }
    other.run("ROLLBACK");
}

TEST_F(WriterTest, TurnsHealthyByItselfWhenWritesArePossibleAgain) {
    auto other = Database::open_writer(file);
    auto impatient = Database::open_writer(file);
    impatient.run("PRAGMA busy_timeout = 1");
    Writer writer(std::move(impatient), {.check_others = std::chrono::milliseconds{1}});

    other.run("BEGIN IMMEDIATE");
    EXPECT_THROW(run_to_end(add_user(writer, 1)), Outage);
    EXPECT_FALSE(writer.health().ok);
    other.run("ROLLBACK");
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!writer.health().ok && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
    EXPECT_TRUE(writer.health().ok);
    EXPECT_EQ(count_users(), 0);
}

TEST_F(WriterTest, RefusesWhatFindsTheBacklogFull) {
    auto writer = make_writer({.backlog = 10});
    hold(writer);
    for (int id = 1; id <= 15; ++id) start(add_user(writer, id));
    loop.poll();
    EXPECT_EQ(overloads, 5);
    gate.count_down();
    loop.run();
    EXPECT_EQ(count_users(), 10);
}

TEST_F(WriterTest, NoticesTheCommitsOfOthersOnly) {
    auto writer = make_writer({.check_others = std::chrono::milliseconds{1}});
    std::promise<void> noticed;
    std::atomic<int> calls = 0;
    writer.on_external_change([&] {
        if (++calls == 1) noticed.set_value();
    });
    for (int id = 1; id <= 20; ++id) run_to_end(add_user(writer, id));
    EXPECT_EQ(calls, 0);

    auto other = Database::open_writer(file);
    other.run("UPDATE users SET name = 'new' WHERE id = 1");
    EXPECT_EQ(noticed.get_future().wait_for(kPatience), std::future_status::ready);
    writer.on_external_change({});
    EXPECT_EQ(calls, 1);
}

TEST_F(WriterTest, ItsEndFinishesWhatWaits) {
    {
        auto writer = make_writer();
        hold(writer);
        for (int id = 1; id <= 100; ++id) start(add_user(writer, id));
        loop.poll();
        gate.count_down();
    }
    EXPECT_EQ(count_users(), 100);
    loop.run();
    EXPECT_EQ(told, 101);
}

TEST_F(WriterTest, TheLogStaysBounded) {
    auto writer = make_writer();
    for (int round = 0; round < 40; ++round)
        run_to_end(writer.write<Done>([](Database& database) {
            database.run("INSERT OR REPLACE INTO write_probe VALUES (1, zeroblob(1000000))");
            return Done{};
        }));
    EXPECT_LT(std::filesystem::file_size(file.string() + "-wal"), 10'000'000U);
}

TEST_F(WriterTest, ALogThatALongReadMadeLongIsCutWhenTheReadIsOver) {
    auto writer = make_writer({.check_others = std::chrono::milliseconds{5}});
    auto reader = Database::open_reader(file);
    reader.run("BEGIN");
    reader.run("SELECT count(*) FROM users");
    for (int round = 0; round < 110; ++round)
        run_to_end(writer.write<Done>([](Database& database) {
            database.run("INSERT OR REPLACE INTO write_probe VALUES (1, zeroblob(1048576))");
            return Done{};
        }));
    const auto log = file.string() + "-wal";
    EXPECT_GT(std::filesystem::file_size(log), 110'000'000U)
        << "nothing of it may go while it is read";
    EXPECT_TRUE(writer.health().ok);
    reader.run("COMMIT");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (writer.log_bytes() > 0 && std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
    EXPECT_EQ(std::filesystem::file_size(log), 0U) << "without another write";
    EXPECT_EQ(writer.log_bytes(), 0U);
}

}  // namespace
}  // namespace sluice::sqlite
