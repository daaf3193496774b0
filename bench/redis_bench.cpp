// Claims in a second on one redis-server of its own: the bare script by hiredis, and through the
// adapter with its follower, in turns. Both keep the same number of claims under way on one
// connection. Also the processor time that each takes, which says more on a machine that has other
// things to do, and what a glance costs. redis_bench [CLAIMS] [UNDER WAY] [ROUNDS]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <hiredis/hiredis.h>

#include "adapters/redis/redis_stock_gate.hpp"
#include "adapters/redis/ticket_record.hpp"
#include "base/asio_loop.hpp"
#include "base/check.hpp"
#include "support/redis_server.hpp"

namespace sluice {
namespace {

using Stopwatch = std::chrono::steady_clock;
using Verdict = StockGate::Verdict;

constexpr SaleId kSale{1};

struct Size {
    std::int64_t claims = 50'000;
    std::int64_t under_way = 64;
    int rounds = 5;
};

double seconds_since(Stopwatch::time_point began) {
    return std::chrono::duration<double>(Stopwatch::now() - began).count();
}

double own_processor_seconds() {
    timespec spent{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

/// Of the server.
double redis_processor_seconds(const testing_support::RedisServer& server) {
    const auto info = server.ask({"INFO", "cpu"});
    double seconds = 0;
    for (const std::string name : {"used_cpu_sys:", "used_cpu_user:"})
        seconds += std::atof(info.c_str() + info.find(name) + name.size());
    return seconds;
}

/// The cost of some claims.
struct Measured {
    double rate = 0;        // claims in a second
    double own_micros = 0;  // of this process, for each
    double redis_micros = 0;

    static Measured of(std::int64_t claims, const testing_support::RedisServer& server,
                       const std::function<void()>& work) {
        const auto own = own_processor_seconds(), theirs = redis_processor_seconds(server);
        const auto began = Stopwatch::now();
        work();
        const auto count = static_cast<double>(claims);
        const auto rate = count / seconds_since(began);
        const auto own_spent = own_processor_seconds() - own;
        return {.rate = rate,
                .own_micros = own_spent / count * 1e6,
                .redis_micros = (redis_processor_seconds(server) - theirs) / count * 1e6};
    }
};

/// Each with a buyer of its own.
Ticket ticket_at(std::int64_t turn) {
    Ticket ticket;
    ticket.id.sale = kSale;
    for (std::size_t i = 0; i < 8; ++i)
        ticket.id.mark[i] = static_cast<unsigned char>(turn >> (8 * i));
    ticket.buyer = UserId{1 + turn * 41'943'041 % (1 << 26)};
    ticket.claimed_at = from_millis(1'794'513'600'000 + turn);
    return ticket;
}

/// What hiredis alone does, with nothing of ours but the script.
class Bare {
  public:
    Bare(const redis::Options& options, std::string run)
        : keys_(options.prefix),
          run_(std::move(run)),
          connection_(redisConnectUnix(options.places.front().socket.c_str())) {
        CHECK(connection_ && connection_->err == 0, "the server is there");
    }
    ~Bare() { redisFree(connection_); }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;

    void claim(std::int64_t first, const Size& size) {
        std::int64_t sent = 0;
        for (; sent < size.under_way; ++sent) send(ticket_at(first + sent));
        for (std::int64_t taken = 0; taken < size.claims; ++taken) {
            take();
            if (sent < size.claims) send(ticket_at(first + sent++));
        }
    }

  private:
    void send(const Ticket& ticket) {
        const std::vector<std::string> words{"EVALSHA",
                                             redis::script("claim").sha,
                                             "1",
                                             keys_.epoch(kSale),
                                             run_,
                                             std::to_string(ticket.epoch),
                                             redis::to_text(ticket.id.mark),
                                             ticket.buyer.text(),
                                             "1",
                                             "1",
                                             redis::to_record(ticket)};
        std::vector<const char*> starts;
        std::vector<std::size_t> sizes;
        for (const auto& word : words) {
            starts.push_back(word.data());
            sizes.push_back(word.size());
        }
        redisAppendCommandArgv(connection_, static_cast<int>(words.size()), starts.data(),
                               sizes.data());
    }
    void take() {
        void* found = nullptr;
        CHECK(redisGetReply(connection_, &found) == REDIS_OK, "the server answers");
        auto* const reply = static_cast<redisReply*>(found);
        CHECK(reply->type == REDIS_REPLY_ARRAY && std::string(reply->element[0]->str) == "won",
              "each claim is won");
        freeReplyObject(reply);
    }

    const redis::Keys keys_;
    const std::string run_;
    redisContext* const connection_;
};

/// One event loop of a node.
class Node {
  public:
    explicit Node(const redis::Options& options)
        : client_(options, {&loop_}), following_(options, {&loop_}), gate_(client_, following_) {
        start_task(loop_, gate_.follow(), [](const std::exception_ptr&) {});
    }
    ~Node() {
        gate_.stop_following();
        run(following_.stop());
        run(client_.stop());
        context_.run();
    }

    template <class T>
    T run(Task<T> task) {
        std::optional<T> result;
        start_task(loop_, std::move(task), [&](const std::exception_ptr& error, auto value) {
            CHECK(!error, "it succeeds");
            result = std::move(value);
        });
        while (!result) context_.run_one();
        return std::move(*result);
    }
    void run(Task<> task) {
        bool over = false;
        start_task(loop_, std::move(task), [&](const std::exception_ptr&) { over = true; });
        while (!over) context_.run_one();
    }

    void claim(std::int64_t first, const Size& size) {
        next_ = first;
        std::int64_t buying = size.under_way;
        for (std::int64_t i = 0; i < size.under_way; ++i)
            start_task(loop_, buy_until(first + size.claims),
                       [&](const std::exception_ptr&) { --buying; });
        while (buying > 0) context_.run_one();
    }
    void read_along() {
        context_.run_for(redis::Follower::kPull);
        while (!gate_.glance(kSale, UserId{1}).warm) context_.run_one();
    }

    redis::RedisStockGate& gate() { return gate_; }
    std::string run_id() const { return client_.health().front().server.run; }

  private:
    Task<> buy_until(std::int64_t end) {
        while (next_ < end) {
            const auto claimed = co_await gate_.claim(ticket_at(next_++), 1);
            CHECK(claimed.verdict == Verdict::won, "each claim is won");
        }
    }

    boost::asio::io_context context_;
    AsioLoop loop_{context_};
    redis::Client client_, following_;
    redis::RedisStockGate gate_;
    std::int64_t next_ = 0;
};

double median(const std::vector<Measured>& all, double Measured::* part) {
    std::vector<double> values;
    for (const auto& each : all) values.push_back(each.*part);
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void print(const char* name, const std::vector<Measured>& all) {
    std::printf("%s: %.0f claims a second; each takes %.1f us of this process, %.1f us of Redis\n",
                name, median(all, &Measured::rate), median(all, &Measured::own_micros),
                median(all, &Measured::redis_micros));
}

double glance_nanos(const StockGate& gate) {
    constexpr int kGlances = 200'000;
    const auto began = Stopwatch::now();
    std::int64_t known = 0;
    for (int i = 0; i < kGlances; ++i)
        known += gate.glance(kSale, ticket_at(i % 10'000).buyer).history ? 1 : 0;
    CHECK(known == kGlances, "each buyer has claimed");
    return seconds_since(began) / kGlances * 1e9;
}

int measure(const Size& size) {
    testing_support::RedisServer server;
    const auto options = server.options();
    Node node(options);
    const StockGate::Filling filling{kSale, 1, "ledger"};
    const bool is_open = node.run(node.gate().begin_fill(filling, 1'000'000'000, 0)) &&
                         node.run(node.gate().open_epoch(filling));
    CHECK(is_open, "the copy is filled");
    Bare bare(options, node.run_id());
    std::vector<Measured> by_bare, by_adapter;
    std::int64_t turn = 0;
    for (int round = 0; round < size.rounds; ++round) {
        by_adapter.push_back(Measured::of(size.claims, server, [&] { node.claim(turn, size); }));
        turn += size.claims;
        by_bare.push_back(Measured::of(size.claims, server, [&] { bare.claim(turn, size); }));
        turn += size.claims;
    }
    std::printf("medians of %d rounds of %ld claims, %ld under way\n", size.rounds,
                static_cast<long>(size.claims), static_cast<long>(size.under_way));
    print("bare script by hiredis", by_bare);
    print("adapter with follower", by_adapter);
    node.read_along();
    std::printf("a glance takes %.0f ns\n", glance_nanos(node.gate()));
    return 0;
}

}  // namespace
}  // namespace sluice

int main(int count, char** arguments) {
    sluice::Size size;
    if (count > 1) size.claims = std::atoll(arguments[1]);
    if (count > 2) size.under_way = std::atoll(arguments[2]);
    if (count > 3) size.rounds = std::atoi(arguments[3]);
    return sluice::measure(size);
}
