// Orders made durable in a second by a bare MariaDB with the same rows: in transactions of BATCH
// orders, whose rows are sent in bulk, by one connection; and in one transaction for each order, by
// eight connections at once. mariadb_bench SOCKET BATCH: the server has a database `bench`, which
// is made anew.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/mariadb/engine/migrate.hpp"
#include "adapters/sql/rows.hpp"
#include "domain/ticket.hpp"

namespace sluice {
namespace {

using Stopwatch = std::chrono::steady_clock;

constexpr std::int64_t kOrders = 60'000;
constexpr std::int64_t kOrdersAlone = 3'000;
constexpr int kConnections = 8;

constexpr auto kHolding =
    "INSERT INTO holdings (sale_id, buyer_id, units, latest) VALUES (1, ?1, 1, ?2)";
constexpr auto kTicket =
    "INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, order_id, pass, "
    "claimed_at) "
    "VALUES (?1, 1, ?2, 1, 1, 2, ?3, ?2, 0)";
constexpr auto kOrder =
    "INSERT INTO orders (id, sale_id, item_id, buyer_id, mark, quantity, price_cents, currency, "
    "state, "
    "created_at, expires_at) VALUES (?1, 1, 1, ?2, ?3, 1, 100, 'CNY', 'pending', 0, 900000)";
constexpr auto kStock =
    "UPDATE sales SET stock_left = stock_left - ?1, stock_held = stock_held + ?1 WHERE id = 1";

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

void fill(const mariadb::ServerAddress& address) {
    auto server = address;
    server.database.clear();
    mariadb::Connection admin(server, mariadb::kLongPatience);
    admin.connect();
    admin.run_script("SET foreign_key_checks = 0; DROP DATABASE IF EXISTS bench");
    mariadb::migrate(address);
    mariadb::Connection connection(address, mariadb::kLongPatience);
    connection.connect();
    connection.run_script(
        "INSERT INTO items (id, title, description, image_url, list_price_cents, currency, "
        "version, "
        "created_at) VALUES (1, 'tea', '', '', 100, 'CNY', 1, 0); "
        "INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, paused, "
        "stock_total, "
        "stock_left, stock_held, stock_sold, limit_per_buyer, hold_seconds, challenge, "
        "gate_factor, "
        "version, created_at) VALUES (1, 1, 'flash', 100, 'CNY', 0, 0, 100000000, 100000000, 0, 0, "
        "1, "
        "900, 'none', 5, 1, 0)");
}

double per_second(std::int64_t count, Stopwatch::time_point begin) {
    return static_cast<double>(count) /
           std::chrono::duration<double>(Stopwatch::now() - begin).count();
}

double measure_batches(const mariadb::ServerAddress& address, std::int64_t batch) {
    fill(address);
    mariadb::Connection connection(address, mariadb::kLongPatience);
    connection.connect();
    auto& holdings = connection.statement(kHolding);
    auto& tickets = connection.statement(kTicket);
    auto& orders = connection.statement(kOrder);
    std::int64_t turn = 0;
    const auto begin = Stopwatch::now();
    while (turn < kOrders) {
        connection.run_script("START TRANSACTION");
        for (std::int64_t i = 0; i < batch; ++i) {
            const auto buyer = buyer_at(++turn);
            const auto mark = mark_of(buyer);
            holdings.keep_row(buyer, mark);
            tickets.keep_row(buyer, mark, turn);
            orders.keep_row(turn, buyer, mark);
        }
        holdings.run_rows();
        tickets.run_rows();
        orders.run_rows();
        connection.run(kStock, batch);
        connection.run_script("COMMIT");
    }
    return per_second(turn, begin);
}

void buy_alone(const mariadb::ServerAddress& address, std::atomic<std::int64_t>& next) {
    mariadb::Connection connection(address, mariadb::kLongPatience);
    connection.connect();
    for (auto turn = ++next; turn <= kOrdersAlone; turn = ++next) {
        const auto buyer = buyer_at(turn);
        const auto mark = mark_of(buyer);
        connection.run_script("START TRANSACTION");
        connection.run(kStock, 1);
        connection.run(kHolding, buyer, mark);
        connection.run(kTicket, buyer, mark, turn);
        connection.run(kOrder, turn, buyer, mark);
        connection.run_script("COMMIT");
    }
}

double measure_alone(const mariadb::ServerAddress& address) {
    fill(address);
    std::atomic<std::int64_t> next = 0;
    const auto begin = Stopwatch::now();
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kConnections; ++i)
            threads.emplace_back([&] { buy_alone(address, next); });
    }
    return per_second(kOrdersAlone, begin);
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "usage: mariadb_bench SOCKET BATCH\n"), 2;
    sluice::mariadb::ServerAddress address;
    address.socket = argv[1];
    address.database = "bench";
    address.user = "root";
    std::printf("raw %.0f\n", sluice::measure_batches(address, std::atoll(argv[2])));
    std::printf("alone %.0f\n", sluice::measure_alone(address));
}
