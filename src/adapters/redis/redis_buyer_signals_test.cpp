#include "adapters/redis/redis_buyer_signals.hpp"

#include <algorithm>
#include <future>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <gtest/gtest.h>

#include "base/asio_loop.hpp"
#include "base/run_to_end.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"

namespace sluice::redis {
namespace {

using testing_support::eventually;
using testing_support::RedisServer;

/// The signals on one node: two links on a thread, and what it has received.
class Node {
  public:
    explicit Node(const Options& options)
        : client_(options, {&loop_}),
          following_(options, {&loop_}),
          signals_(client_, following_),
          subscription_(signals_.listen([this](const std::vector<BuyerSignal>& signals) {
              const MutexLock lock(mutex_);
              heard_.insert(heard_.end(), signals.begin(), signals.end());
          })) {
        loop_.post([this] {
            start_task(loop_, signals_.follow(),
                       [this](const std::exception_ptr&) { ended_.set_value(); });
        });
        thread_ = std::thread([this] { context_.run(); });
    }
    ~Node() {
        loop_.post([this] { signals_.stop(); });
        run_to_end(following_.stop());
        ended_.get_future().wait();
        run_to_end(client_.stop());
        busy_.reset();
        thread_.join();
    }

    void send(std::vector<BuyerSignal> signals) {
        signals_.send(std::move(signals));
        run_to_end(signals_.pass_on());
    }
    std::vector<BuyerSignal> heard() {
        const MutexLock lock(mutex_);
        return heard_;
    }
    bool has_heard(const BuyerSignal& signal) {
        const auto all = heard();
        return std::ranges::find(all, signal) != all.end();
    }
    Reply ask(std::vector<std::string> words) {
        return run_to_end(client_.call({.script = nullptr, .words = std::move(words)}));
    }
    RedisBuyerSignals& signals() { return signals_; }

  private:
    boost::asio::io_context context_{1};
    AsioLoop loop_{context_};
    boost::asio::executor_work_guard<AsioExecutor> busy_{context_.get_executor()};
    Client client_, following_;
    RedisBuyerSignals signals_;
    Mutex mutex_;
    std::vector<BuyerSignal> heard_ GUARDED_BY(mutex_);
    const Subscription subscription_;
    std::promise<void> ended_;
    std::thread thread_;
};

BuyerSignal order(std::int64_t buyer, std::int64_t id) {
    return {UserId{buyer}, OrderId{id}};
}

class RedisBuyerSignalsTest : public testing::Test {
  protected:
    const Options options = RedisServer::shared().options();

    /// Both have found the end of the stream once each has heard the other.
    static bool connect(Node& here, Node& there) {
        return eventually([&] {
            here.send({order(1, 1)});
            there.send({order(2, 2)});
            return here.has_heard(order(2, 2)) && there.has_heard(order(1, 1));
        });
    }
};

TEST_F(RedisBuyerSignalsTest, OtherNodesHearWhatWasSentAndItsSenderDoesNot) {
    Node here{options}, there{options};
    ASSERT_TRUE(connect(here, there));
    const BuyerSignal ticket{UserId{8}, TicketId{SaleId{5}, Mark{1, 2, 3}}};
    here.send({order(7, 99), ticket});
    EXPECT_TRUE(eventually([&] { return there.has_heard(ticket); }));
    EXPECT_TRUE(there.has_heard(order(7, 99)));
    there.send({order(9, 9)});
    EXPECT_TRUE(eventually([&] { return here.has_heard(order(9, 9)); }));
    EXPECT_FALSE(here.has_heard(ticket));
}

TEST_F(RedisBuyerSignalsTest, ManyAreSeveralEntriesAndOldEntriesAreRemoved) {
    Node here{options}, there{options};
    ASSERT_TRUE(connect(here, there));
    const auto key = Keys(options.prefix).buyer_signals();
    const auto before = here.ask({"XLEN", key}).view().number();
    std::vector<BuyerSignal> many;
    for (std::int64_t id = 1; id <= 250; ++id) many.push_back(order(100, id));
    here.send(many);
    EXPECT_TRUE(eventually([&] { return there.has_heard(order(100, 250)); }));
    EXPECT_TRUE(there.has_heard(order(100, 1)) && there.has_heard(order(100, 101)));
    EXPECT_EQ(here.ask({"XLEN", key}).view().number(), before + 3);
    for (int i = 0; i < 1'300; ++i) here.send({order(100, 1)});
    EXPECT_LT(here.ask({"XLEN", key}).view().number(), 1'200);
    EXPECT_GT(here.ask({"TTL", key}).view().number(), 0);
}

TEST_F(RedisBuyerSignalsTest, WhatItDoesNotUnderstandIsPassedOver) {
    Node here{options}, there{options};
    ASSERT_TRUE(connect(here, there));
    const auto key = Keys(options.prefix).buyer_signals();
    here.ask({"XADD", key, "*", "newer", "7x99 o 7o 0o5 7t!  7o77"});
    EXPECT_TRUE(eventually([&] { return there.has_heard(order(7, 77)); }));
    const auto heard = there.heard();
    EXPECT_EQ(std::ranges::count(heard, UserId{7}, &BuyerSignal::buyer), 1);
}

TEST_F(RedisBuyerSignalsTest, AfterAnOutageAndWithAnEmptyRedisItGoesOn) {
    RedisServer server;
    const auto own = server.options();
    Node here{own}, there{own};
    ASSERT_TRUE(connect(here, there));
    server.kill();
    here.send({order(1, 5)});
    EXPECT_GE(here.signals().lost(), 1u);
    for (std::size_t i = 0; i < RedisBuyerSignals::kMostWaiting; i += 100)
        here.signals().send(std::vector(100, order(1, 5)));
    here.signals().send({order(1, 5), order(1, 5)});
    EXPECT_GE(here.signals().lost(), 3u) << "what waits is bounded";
    run_to_end(here.signals().pass_on());
    server.start();
    EXPECT_TRUE(eventually([&] {
        here.send({order(1, 6)});
        return there.has_heard(order(1, 6));
    }));
}

}  // namespace
}  // namespace sluice::redis
