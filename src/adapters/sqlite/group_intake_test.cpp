#include "adapters/sql/ledgers/group_intake.hpp"

#include <future>
#include <latch>
#include <thread>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "adapters/sql/ledgers/ticket_writer.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "base/run_to_end.hpp"
#include "support/hand_in.hpp"
#include "support/manual_clock.hpp"
#include "support/temp_folder.hpp"
#include "support/test_loop.hpp"

namespace sluice::sqlite {
namespace {

using ledgers::GroupIntake;
using sql::News;

using Fate = OrderIntake::Fate;
using Taken = OrderIntake::Taken;

/// What can be tested with SQLite only: transactions, failures of the store, who is answered when
/// and where.
class GroupIntakeTest : public testing::Test {
  protected:
    testing_support::TempFolder folder;
    std::filesystem::path file = folder / "ledger.db";
    testing_support::ManualClock clock;
    IdSource ids{1};
    testing_support::TestLoop loop;  // both outlive the writer's thread
    testing_support::TestLoop other;
    std::latch gate{1};
    News news;
    std::vector<Sale> heard;
    std::vector<Taken> told;
    std::vector<Timestamp> dues;
    std::vector<IntakeReport> reports;
    std::vector<std::pair<UserId, std::string>> failures;
    int bugs = 0;
    int commits = 0;  // counted until the writer's connection is closed
    std::optional<Writer> writer;
    std::optional<GroupIntake> intake;

    void SetUp() override {
        migrate(file);
        auto database = Database::open_writer(file);
        database.run_script(R"(
            INSERT INTO items VALUES (1, '', '', '', 0, 'CNY', 1, 0, '', '', 0);
            INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 0, NULL, NULL, 0, 1000, 1000, 0, 0,
                                      1, 900, 'none', 1, 4, 0, 1, NULL, NULL, 0, 0, 3, 'none',
                                      '', '', '', 'everyone', NULL, 0);)");
        news.listen([this](const News::Edition& edition) {
            heard.insert(heard.end(), edition.sales.begin(), edition.sales.end());
        });
        const auto conclude = [this](bool committed) { news.conclude(committed); };
        writer.emplace(Database::open_writer(file), WriterOptions{.after_transaction = conclude});
        const auto note = [this](const IntakeReport& report) { reports.push_back(report); };
        intake.emplace(*writer, ledgers::TicketDesk{ledgers::write_tickets, news, clock, ids},
                       IntakeOptions{.batch = 100,
                                     .on_hold = [this](Timestamp due) { dues.push_back(due); },
                                     .on_batch = note,
                                     .on_failure =
                                         [this](const Ticket& ticket, std::string_view reason) {
                                             failures.emplace_back(ticket.buyer, reason);
                                         }});
    }
    Ticket make_ticket(std::int64_t buyer) {
        Ticket ticket;
        ticket.id.sale = SaleId{1};
        ticket.buyer = UserId{buyer};
        ticket.claimed_at = clock.now();
        return ticket;
    }
    void start(testing_support::TestLoop& on, const Ticket& ticket) {
        on.spawn(testing_support::hand_in(*intake, ticket),
                 [this](std::exception_ptr error, Taken taken) {
                     if (error) ++bugs;
                     told.push_back(std::move(taken));
                 });
    }
    void start(std::int64_t buyer) { start(loop, make_ticket(buyer)); }

    /// Runs `work` in a transaction of its own, which stays open until the gate is.
    void hold_writer(std::function<void(Database&)> work = [](Database&) {}) {
        std::promise<void> entered;
        loop.spawn(writer->write<Done>([this, work, &entered](Database& database) {
            try {
                work(database);
            } catch (...) {
                entered.set_exception(std::current_exception());
                throw;
            }
            entered.set_value();
            gate.wait();
            return Done{};
        }),
                   [](std::exception_ptr, Done) {});
        loop.poll();
        entered.get_future().get();
    }
    void finish() {
        loop.poll();
        gate.count_down();
        loop.run();
    }
    std::int64_t count(std::string_view sql) {
        auto database = Database::open_reader(file);
        return database.value<std::int64_t>(sql);
    }
};

TEST_F(GroupIntakeTest, WhateverWaitsSharesACommitUpToTheBatch) {
    hold_writer();
    for (int buyer = 1; buyer <= 250; ++buyer) start(buyer);
    finish();
    EXPECT_EQ(told.size(), 250U);
    EXPECT_EQ(writer->commits(), 4U) << "the one that was held, then 100, 100 and 50";
    EXPECT_EQ(count("SELECT count(*) FROM orders"), 250);
}

TEST_F(GroupIntakeTest, ACommitTellsOnceWhenItsFirstOrderIsDue) {
    hold_writer();
    for (int buyer = 1; buyer <= 3; ++buyer) start(buyer);
    finish();
    ASSERT_EQ(dues.size(), 1U);
    EXPECT_EQ(dues[0], clock.now() + std::chrono::seconds{900});
    start(1);  // told before
    loop.run();
    EXPECT_EQ(dues.size(), 1U) << "no new order, no news";
}

TEST_F(GroupIntakeTest, EachBatchReportsHowItWent) {
    hold_writer();
    for (int buyer = 1; buyer <= 250; ++buyer) start(buyer);
    finish();
    ASSERT_EQ(reports.size(), 3U);
    const std::size_t taken[] = {100, 100, 50};
    const std::size_t backlog[] = {250, 150, 50};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(reports[i].taken, taken[i]);
        EXPECT_EQ(reports[i].backlog, backlog[i]);
        EXPECT_GT(reports[i].took.count(), 0);
    }
}

TEST_F(GroupIntakeTest, TheNewsIsOutBeforeAnybodyIsTold) {
    std::promise<std::size_t> told_before;
    news.listen([&](const News::Edition& edition) {
        heard.assign(edition.sales.begin(), edition.sales.end());
        loop.poll();  // whoever had been told would now be resumed
        told_before.set_value(told.size());
    });
    hold_writer();
    for (int buyer = 1; buyer <= 3; ++buyer) start(buyer);
    loop.poll();
    gate.count_down();
    EXPECT_EQ(told_before.get_future().get(), 0U);
    loop.run();
    EXPECT_EQ(told.size(), 3U);
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].id, SaleId{1});
    EXPECT_EQ(heard[0].stock, (Stock{.total = 1'000, .left = 997, .held = 3, .sold = 0}));
    EXPECT_EQ(heard[0].version, 4);
}

TEST_F(GroupIntakeTest, EverybodyOnALoopIsToldInOneTurn) {
    hold_writer();
    for (int buyer = 1; buyer <= 50; ++buyer) start(buyer);
    for (int buyer = 51; buyer <= 60; ++buyer) start(other, make_ticket(buyer));
    loop.poll();
    other.poll();
    gate.count_down();
    while (told.empty()) other.run_one();
    EXPECT_EQ(told.size(), 10U);
    while (told.size() == 10) loop.run_one();
    EXPECT_EQ(told.size(), 60U);
    loop.run();
    other.run();
}

TEST_F(GroupIntakeTest, ACommitThatFailsLeavesTheOutcomeUnknown) {
    // Fails the second commit: the first is that of the transaction which installs it.
    const auto fail_later = [&](Database& database) {
        const auto hook = [](void* counter) { return ++*static_cast<int*>(counter) > 1 ? 1 : 0; };
        sqlite3_commit_hook(database.handle(), hook, &commits);
    };
    hold_writer(fail_later);
    for (int buyer = 1; buyer <= 3; ++buyer) start(buyer);
    finish();
    ASSERT_EQ(told.size(), 3U);
    for (const auto& taken : told) {
        EXPECT_EQ(taken.fate, Fate::unknown);
        EXPECT_FALSE(taken.record.order);
    }
    EXPECT_EQ(bugs, 0);
    EXPECT_TRUE(heard.empty());
    EXPECT_FALSE(writer->health().ok);
    EXPECT_EQ(intake->backlog(), 0U);
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].taken, 0U);
}

TEST_F(GroupIntakeTest, ADiskThatIsFullTakesNothingAndNothingIsLeftBehind) {
    hold_writer([](Database& database) { database.run("PRAGMA max_page_count = 1"); });
    for (int buyer = 1; buyer <= 900; ++buyer) start(buyer);
    finish();
    ASSERT_EQ(told.size(), 900U);
    std::int64_t ordered = 0;
    for (const auto& taken : told) {
        EXPECT_TRUE(taken.fate == Fate::ordered || taken.fate == Fate::not_taken);
        if (taken.fate == Fate::ordered) ++ordered;
    }
    EXPECT_LT(ordered, 900);
    EXPECT_EQ(count("SELECT count(*) FROM orders"), ordered);
    EXPECT_EQ(count("SELECT stock_held FROM sales"), ordered);
    EXPECT_EQ(heard.empty() ? 0 : heard.back().stock.held, ordered);
}

TEST_F(GroupIntakeTest, ALockedDatabaseTakesNothing) {
    run_to_end(writer->write<Done>([](Database& database) {
        database.run("PRAGMA busy_timeout = 1");
        return Done{};
    }));
    auto intruder = Database::open_writer(file);
    intruder.run("BEGIN IMMEDIATE");
    EXPECT_EQ(run_to_end(testing_support::hand_in(*intake, make_ticket(1))).fate, Fate::not_taken);
    intruder.run("ROLLBACK");
    EXPECT_EQ(run_to_end(testing_support::hand_in(*intake, make_ticket(1))).fate, Fate::ordered);
}

TEST_F(GroupIntakeTest, ABugIsToldAsOneAndTakesNothing) {
    auto ticket = make_ticket(1);
    ticket.quantity = -1;
    EXPECT_THROW(run_to_end(testing_support::hand_in(*intake, ticket)), Error);
    EXPECT_EQ(run_to_end(testing_support::hand_in(*intake, make_ticket(2))).fate, Fate::ordered);
    EXPECT_EQ(count("SELECT count(*) FROM journal"), 1);
}

TEST_F(GroupIntakeTest, ATicketWhoseRowsDoNotFitFailsAlone) {
    const auto plant = [](Database& database) {
        database.run(
            "INSERT INTO journal VALUES (3, 1, zeroblob(16), 1, 1, 2, NULL, 99, zeroblob(16), "
            "NULL, "
            "0, 0, NULL)");
    };
    hold_writer(plant);
    for (int buyer = 1; buyer <= 5; ++buyer) start(buyer);
    finish();
    ASSERT_EQ(told.size(), 5U);
    EXPECT_EQ(bugs, 1);
    EXPECT_EQ(std::ranges::count(told, Fate::ordered, &Taken::fate), 4);
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures[0].first, UserId{3});
    EXPECT_NE(failures[0].second.find("without its buyer's history"), std::string::npos);
    EXPECT_EQ(count("SELECT count(*) FROM orders"), 4);
    EXPECT_EQ(count("SELECT stock_held FROM sales"), 4);
    EXPECT_EQ(count("SELECT count(*) FROM holdings"), 4)
        << "nothing is left of the one that failed";
    EXPECT_EQ(heard.back().stock.held, 4);
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].taken, 5U);
    EXPECT_TRUE(writer->health().ok);
    ASSERT_EQ(dues.size(), 1U);
    for (int buyer = 3; buyer <= 8; ++buyer) start(buyer);
    loop.run();
    EXPECT_EQ(count("SELECT stock_held FROM sales"), 7) << "and the next batch goes on";
    EXPECT_EQ(bugs, 2);
}

TEST_F(GroupIntakeTest, ASaleWhoseRowCannotBeChangedFailsAlone) {
    const auto plant = [](Database& database) {
        database.run_script(R"(
            INSERT INTO sales SELECT 2, item_id, kind, price_cents, currency, starts_at, ends_at,
                ended_at, paused, stock_total, stock_left, stock_held, stock_sold, limit_per_buyer,
                hold_seconds, challenge, gate_factor, version, created_at, epoch, challenge_bits,
                resumed_at, hot_seq, news_seq, unpaid_limit, challenge_alternative, name,
                campaign, tags, audience, listed_until, list_version FROM sales;
            CREATE TRIGGER planted BEFORE UPDATE ON sales WHEN NEW.id = 2
            BEGIN SELECT RAISE(ABORT, 'planted'); END;)");
    };
    hold_writer(plant);
    for (int buyer = 1; buyer <= 6; ++buyer) {
        auto ticket = make_ticket(buyer);
        if (buyer % 2 == 0) ticket.id.sale = SaleId{2};
        start(loop, ticket);
    }
    finish();
    EXPECT_EQ(told.size(), 6U);
    EXPECT_EQ(bugs, 3);
    EXPECT_EQ(failures.size(), 3U);
    EXPECT_EQ(count("SELECT stock_held FROM sales WHERE id = 1"), 3);
    EXPECT_EQ(count("SELECT count(*) FROM orders"), 3);
    EXPECT_EQ(count("SELECT count(*) FROM journal"), 3);
}

TEST_F(GroupIntakeTest, ItsEndWaitsForWhatIsUnderWay) {
    hold_writer();
    for (int buyer = 1; buyer <= 250; ++buyer) start(buyer);
    loop.poll();
    std::thread opener([this] { gate.count_down(); });
    intake.reset();
    opener.join();
    EXPECT_EQ(count("SELECT count(*) FROM orders"), 250);
    loop.run();
    EXPECT_EQ(told.size(), 250U);
}

TEST_F(GroupIntakeTest, CancelsAndRestocksAreNewsToo) {
    intake.reset();
    writer.reset();
    Ledger ledger({.file = file});
    const auto subscription = ledger.on_news(
        [this](const News::Edition& edition) {
            heard.insert(heard.end(), edition.sales.begin(), edition.sales.end());
        },
        {});
    const auto own = ledger.open_intake(clock, ids, {});
    const auto order =
        run_to_end(testing_support::hand_in(*own, make_ticket(1))).record.order.value();
    run_to_end(ledger.orders().cancel(order, UserId{1}, clock.now()));
    run_to_end(ledger.orders().cancel(order, UserId{1}, clock.now()));
    Database::open_writer(file).run("INSERT INTO users VALUES (1, '1', '', 'admin', NULL, 0)");
    const Deed deed{.id = DeedId{1},
                    .at = clock.now(),
                    .actor = UserId{1},
                    .address = "",
                    .request_id = "",
                    .action = "sale.restock",
                    .subject = "1",
                    .before = "",
                    .after = ""};
    const auto restock =
        [&](const Sale& before) -> Outcome<std::optional<CatalogLedger::SaleChange>> {
        return CatalogLedger::SaleChange{restock_sale(before, 5, clock.now()).value(), deed};
    };
    run_to_end(ledger.catalog().change_sale(SaleId{1}, restock, {}));
    ASSERT_EQ(heard.size(), 3U);
    EXPECT_EQ(heard[0].stock.left, 999);
    EXPECT_EQ(heard[1].stock.left, 1'000);
    EXPECT_EQ(heard[2].stock.left, 1'005);
    EXPECT_EQ(heard[2].version, 5);
}

}  // namespace
}  // namespace sluice::sqlite
