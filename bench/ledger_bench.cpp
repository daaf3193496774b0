// Orders made durable in a second: through the adapter and by bare SQLite with the same rows, side
// by side; and through the adapter while a webhook is to be told of each. ledger_bench [FOLDER]
// [BUYERS THERE BEFORE]: the folder lies on the disk to be measured.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sqlite3.h>

#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/system/system_clock.hpp"
#include "base/check.hpp"
#include "support/test_loop.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using Stopwatch = std::chrono::steady_clock;

constexpr std::int64_t kSale = 1;
constexpr std::int64_t kStock = 100'000'000;

/// Buyers come in random order, like a crowd.
std::int64_t buyer_at(std::int64_t turn) {
    constexpr std::int64_t buyers = 1 << 26;
    return 1 + turn * 41'943'041 % buyers;
}

Mark mark_of(std::int64_t buyer) {
    Mark mark{};
    for (auto& byte : mark) {
        buyer = buyer * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
        byte = static_cast<unsigned char>(buyer >> 56);
    }
    return mark;
}

/// A database with a sale, and `history` orders in it.
void fill(const fs::path& file, std::int64_t history) {
    fs::remove(file);
    fs::remove(file.string() + "-wal");
    fs::remove(file.string() + "-shm");
    sqlite::migrate(file);
    auto database = sqlite::Database::open_writer(file);
    database.run_script(R"(
        INSERT INTO items VALUES (1, 'tea', '', '', 100, 'CNY', 1, 0, '', '', 0);
        INSERT INTO sales VALUES (1, 1, 'flash', 100, 'CNY', 0, NULL, NULL, 0, 100000000,
                                  100000000, 0, 0, 1, 900, 'none', 5, 1, 0, 1, NULL, NULL, 0, 0,
                                  3, 'none', '', '', '', 'everyone', NULL, 0);)");
    database.run("BEGIN");
    auto journal = database.repeat(
        "INSERT INTO journal VALUES (?1, 1, ?2, 1, 1, 2, NULL, ?3, ?2, NULL, 0, 0, NULL)");
    auto holdings = database.repeat("INSERT INTO holdings VALUES (1, ?1, 1, ?2)");
    auto orders = database.repeat(
        "INSERT INTO orders VALUES (?1, 1, 1, ?2, ?3, 1, 100, 'CNY', 'pending', 0, 900000, NULL)");
    for (std::int64_t turn = 1; turn <= history; ++turn) {
        const auto buyer = buyer_at(turn);
        const auto mark = mark_of(buyer);
        journal.run(buyer, mark, turn);
        holdings.run(buyer, mark);
        orders.run(turn, buyer, mark);
    }
    database.run("UPDATE sales SET stock_left = ?1 - ?2, stock_held = ?2", kStock, history);
    database.run("COMMIT");
}

double seconds_since(Stopwatch::time_point begin) {
    return std::chrono::duration<double>(Stopwatch::now() - begin).count();
}

Task<> shop(OrderIntake& intake, const Clock& clock, std::int64_t& next, std::int64_t end) {
    while (next < end) {
        const auto buyer = buyer_at(next++);
        Ticket ticket;
        ticket.id = {SaleId{kSale}, mark_of(buyer)};
        ticket.buyer = UserId{buyer};
        ticket.pass = ticket.id.mark;
        ticket.claimed_at = clock.now();
        auto place = intake.reserve();
        CHECK(place, "there are fewer buyers than places");
        const auto taken = co_await intake.submit(std::move(*place), ticket);
        CHECK(taken.fate == OrderIntake::Fate::ordered, "there is enough for everybody");
    }
}

/// Nothing is delivered: the outbox is what is measured.
void add_webhook(const fs::path& file) {
    auto database = sqlite::Database::open_writer(file);
    database.run_script(R"(
        INSERT INTO webhooks (id, url, created_at, after_order) VALUES (1, 'https://a.example', 0, 0);
        INSERT INTO webhook_wants VALUES ('order.created', 1);)");
}

double measure_adapter(const fs::path& file, std::int64_t history, std::int64_t count, int batch,
                       bool webhook) {
    fill(file, history);
    if (webhook) add_webhook(file);
    testing_support::TestLoop loop;
    const SystemClock clock;
    IdSource ids{1};
    sqlite::Ledger ledger({.file = file});
    const auto intake = ledger.open_intake(clock, ids, {});
    std::int64_t next = history + 1;
    const auto begin = Stopwatch::now();
    for (int i = 0; i < batch; ++i)
        loop.spawn(shop(*intake, clock, next, history + 1 + count), [](std::exception_ptr) {});
    loop.run();
    return static_cast<double>(count) / seconds_since(begin);
}

double measure_bare(const fs::path& file, std::int64_t history, std::int64_t count, int batch) {
    fill(file, history);
    auto database = sqlite::Database::open_writer(file);
    database.run("PRAGMA wal_autocheckpoint = 1000");
    auto begin_all = database.repeat("BEGIN IMMEDIATE");
    auto journal = database.repeat(
        "INSERT INTO journal VALUES (?1, 1, ?2, 1, 1, 2, NULL, ?3, ?2, NULL, 0, 0, NULL)");
    auto holdings = database.repeat("INSERT INTO holdings VALUES (1, ?1, 1, ?2)");
    auto orders = database.repeat(
        "INSERT INTO orders VALUES (?1, 1, 1, ?2, ?3, 1, 100, 'CNY', 'pending', 0, 900000, NULL)");
    auto stock = database.repeat(
        "UPDATE sales SET stock_left = stock_left - ?1, stock_held = stock_held + ?1 WHERE id = 1");
    auto commit = database.repeat("COMMIT");
    std::int64_t turn = history + 1;
    const auto begin = Stopwatch::now();
    for (const auto end = turn + count; turn < end;) {
        begin_all.run();
        for (int i = 0; i < batch; ++i, ++turn) {
            const auto buyer = buyer_at(turn);
            const auto mark = mark_of(buyer);
            journal.run(buyer, mark, turn);
            holdings.run(buyer, mark);
            orders.run(turn, buyer, mark);
        }
        stock.run(batch);
        commit.run();
    }
    return static_cast<double>(turn - history - 1) / seconds_since(begin);
}

void run(const fs::path& folder, std::int64_t history) {
    fs::create_directories(folder);
    const auto file = folder / "ledger_bench.db";
    std::printf("%lld orders there before\n", static_cast<long long>(history));
    std::printf("%6s %14s %14s %7s %14s\n", "batch", "bare orders/s", "ours orders/s", "ratio",
                "with a webhook");
    for (const auto& [batch, count] : {std::pair{1, 10'000}, {64, 100'000}, {512, 200'000}}) {
        const auto bare = measure_bare(file, history, count, batch);
        const auto ours = measure_adapter(file, history, count, batch, false);
        const auto told = measure_adapter(file, history, count, batch, true);
        std::printf("%6d %14.0f %14.0f %7.2f %14.0f\n", batch, bare, ours, ours / bare, told);
        std::fflush(stdout);
    }
    fs::remove(file);
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
    sluice::run(argc > 1 ? argv[1] : std::filesystem::temp_directory_path() / "sluice-bench",
                argc > 2 ? std::atoll(argv[2]) : 0);
}
