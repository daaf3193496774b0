// What all nodes of a cluster agree on at once: the terms of a sale, and who fills its copy.

#include <gtest/gtest.h>

#include "adapters/redis/redis_stock_gate.hpp"
#include "base/run_to_end.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/warm_copy.hpp"

namespace sluice::redis {
namespace {

using namespace std::chrono_literals;
using testing_support::RedisNode;
using testing_support::RedisServer;
using Verdict = StockGate::Verdict;

constexpr SaleId kSale{1};

class RedisTermsTest : public testing::Test {
  protected:
    Verdict claim(unsigned char number, std::int64_t quantity = 1, std::int64_t epoch = 1) {
        Ticket ticket;
        ticket.id = {kSale, Mark{number}};
        ticket.buyer = UserId{1'000 + number};
        ticket.epoch = epoch;
        ticket.quantity = quantity;
        ticket.claimed_at = now;
        return run_to_end(other.gate().claim(ticket, 5)).verdict;
    }
    void set(const StockGate::Terms& terms) { run_to_end(one.gate().set_terms(kSale, terms)); }
    std::optional<std::int64_t> known_version() {
        return run_to_end(other.gate().open_copy(kSale))->terms_version;
    }
    bool warm(std::int64_t epoch) {
        return testing_support::warm(one.gate(), {.epoch = epoch, .left = 100, .holdings = {}});
    }

    const redis::Options options = RedisServer::shared().options();
    RedisNode one{options}, other{options};
    // So far from the present that the difference between two clocks does not matter.
    const Timestamp now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const Timestamp past = now - 1h, future = now + 1h;
};

TEST_F(RedisTermsTest, APauseOnOneNodeIsInForceOnTheOtherAtOnce) {
    ASSERT_TRUE(warm(1));
    EXPECT_EQ(known_version(), 0);
    EXPECT_EQ(claim(1), Verdict::won) << "without terms nothing is judged by them";
    set({.version = 3, .starts_at = past, .ends_at = future, .is_paused = true, .limit = 5});
    EXPECT_EQ(known_version(), 3);
    EXPECT_EQ(claim(2), Verdict::paused);
    EXPECT_EQ(claim(1), Verdict::again) << "replay comes before refusal";
    set({.version = 2, .starts_at = past, .ends_at = {}, .is_paused = false, .limit = 5});
    EXPECT_EQ(claim(2), Verdict::paused) << "older terms change nothing";
    set({.version = 4, .starts_at = past, .ends_at = {}, .is_paused = false, .limit = 5});
    EXPECT_EQ(claim(2), Verdict::won);
}

TEST_F(RedisTermsTest, TheWindowIsJudgedByTheClockOfRedis) {
    ASSERT_TRUE(warm(1));
    set({.version = 1, .starts_at = future, .ends_at = {}, .is_paused = false, .limit = 5});
    EXPECT_EQ(claim(1), Verdict::not_started);
    set({.version = 2, .starts_at = past, .ends_at = now - 1min, .is_paused = true, .limit = 5});
    EXPECT_EQ(claim(1), Verdict::ended) << "an end is told before a pause";
    set({.version = 3, .starts_at = past, .ends_at = future, .is_paused = false, .limit = 2});
    EXPECT_EQ(claim(1, 3), Verdict::already) << "the limit of the terms counts";
    EXPECT_EQ(claim(1, 2), Verdict::won);
}

TEST_F(RedisTermsTest, ANewEpochForgetsTerms) {
    ASSERT_TRUE(warm(1));
    set({.version = 9, .starts_at = past, .ends_at = {}, .is_paused = true, .limit = 5});
    ASSERT_TRUE(warm(2));
    EXPECT_EQ(known_version(), 0) << "they may be of a ledger that was replaced";
    EXPECT_EQ(claim(1, 1, 2), Verdict::won);
}

TEST_F(RedisTermsTest, OneNodeIsToldToFill) {
    EXPECT_TRUE(run_to_end(one.gate().may_fill(kSale)));
    EXPECT_FALSE(run_to_end(other.gate().may_fill(kSale)));
    EXPECT_TRUE(run_to_end(one.gate().may_fill(kSale))) << "the same one may go on";
    EXPECT_TRUE(run_to_end(other.gate().may_fill(SaleId{2}))) << "each sale by itself";
}

}  // namespace
}  // namespace sluice::redis
