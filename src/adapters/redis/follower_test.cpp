#include "adapters/redis/follower.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/allocations.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/warm_copy.hpp"

namespace sluice::redis {
namespace {

using testing_support::eventually;
using testing_support::RedisNode;
using testing_support::RedisServer;
using Verdict = StockGate::Verdict;

constexpr SaleId kSale{1};

Ticket make_ticket(std::int64_t buyer, std::int64_t epoch = 1) {
    Ticket ticket;
    ticket.id = {kSale, Mark{static_cast<unsigned char>(buyer), static_cast<unsigned char>(epoch)}};
    ticket.buyer = UserId{buyer};
    ticket.epoch = epoch;
    return ticket;
}

class Listener final : public StockSignals {
  public:
    void sold_out(SaleId) noexcept override { is_sold_out = true; }
    void restocked(SaleId) noexcept override { is_sold_out = false; }

    std::atomic<bool> is_sold_out = false;
};

/// Two nodes; the first filled the copy of sale 1: 3 units are left, buyer 8 holds one.
class RedisFollower : public testing::Test {
  protected:
    const Options options = RedisServer::shared().options();
    Listener listener;
    RedisNode here{options}, there{options, &listener};

    void SetUp() override {
        ASSERT_TRUE(warm(1));
        ASSERT_TRUE(eventually([&] { return glance(8).warm; }));
    }
    bool warm(std::int64_t epoch) {
        return testing_support::warm(here.gate(),
                                     {.epoch = epoch, .left = 3, .holdings = {{UserId{8}, 1}}});
    }
    /// On the other node.
    StockGate::Glance glance(std::int64_t buyer) {
        return there.gate().glance(kSale, UserId{buyer});
    }
    Verdict claim(std::int64_t buyer, std::int64_t epoch = 1) {
        return run_to_end(here.gate().claim(make_ticket(buyer, epoch), 2)).verdict;
    }
};

TEST_F(RedisFollower, KnowsWhatOthersClaim) {
    EXPECT_EQ(glance(8).units, 1);
    EXPECT_FALSE(glance(7).history);
    ASSERT_EQ(claim(7), Verdict::won);
    EXPECT_TRUE(eventually([&] { return glance(7).history; }));
    EXPECT_EQ(glance(7).units, 1);
    EXPECT_EQ(glance(7).left, 2);
    EXPECT_EQ(glance(7).claims, 0) << "won elsewhere";
    run_to_end(here.gate().release({StockGate::ClaimName(make_ticket(7))}));
    EXPECT_TRUE(eventually([&] { return glance(7).left == 3; }));
    EXPECT_EQ(glance(7).units, 0);
    EXPECT_TRUE(glance(7).history);
    run_to_end(here.gate().apply(
        kSale, 1, {{.seq = 1, .delta_left = -3, .buyer = UserId{6}, .delta_units = 3}}));
    EXPECT_TRUE(eventually([&] { return glance(6).units == 3; }));
}

TEST_F(RedisFollower, IsToldThatNothingIsLeftOnceAllBuyersAreKnown) {
    for (const std::int64_t buyer : {5, 6, 7}) ASSERT_EQ(claim(buyer), Verdict::won);
    EXPECT_TRUE(eventually([&] { return listener.is_sold_out.load(); }));
    EXPECT_TRUE(glance(5).history && glance(6).history && glance(7).history);
    EXPECT_EQ(glance(9).left, 0);
    EXPECT_FALSE(glance(9).history);
    run_to_end(here.gate().release({StockGate::ClaimName(make_ticket(6))}));
    EXPECT_TRUE(eventually([&] { return !listener.is_sold_out; }));
}

TEST_F(RedisFollower, WhoeverIsToldOfATicketHereFindsItHere) {
    ASSERT_EQ(claim(5), Verdict::won);
    ASSERT_EQ(claim(6), Verdict::won);
    ASSERT_EQ(claim(7), Verdict::won);
    run_to_end(here.gate().settle({StockGate::ClaimName(make_ticket(6))}));
    const auto claim_there = [&](std::int64_t buyer, std::int64_t limit) {
        return run_to_end(there.gate().claim(make_ticket(buyer), limit)).verdict;
    };
    EXPECT_EQ(claim_there(5, 2), Verdict::again);
    EXPECT_TRUE(glance(5).history);
    EXPECT_EQ(claim_there(6, 2), Verdict::done);
    EXPECT_TRUE(glance(6).history);
    auto another = make_ticket(7);
    another.id.mark[5] = 1;
    EXPECT_EQ(run_to_end(there.gate().claim(another, 1)).verdict, Verdict::already);
    EXPECT_TRUE(glance(7).history);
}

TEST_F(RedisFollower, AGlanceAsksNobodyAndAllocatesNothing) {
    const auto before = testing_support::allocations();
    for (int i = 0; i < 1'000; ++i) there.gate().glance(kSale, UserId{8});
    EXPECT_EQ(testing_support::allocations(), before);
}

TEST_F(RedisFollower, GoesOverToTheNextEpoch) {
    ASSERT_EQ(claim(7), Verdict::won);
    ASSERT_TRUE(warm(2));
    ASSERT_EQ(claim(5, 2), Verdict::won);
    EXPECT_TRUE(eventually([&] { return glance(5).history && glance(5).left == 2; }));
    EXPECT_EQ(glance(7).units, 0);
    EXPECT_TRUE(glance(7).history) << "the claim may yet be committed";
}

/// A node that starts after the claim of the former epoch was decided.
TEST_F(RedisFollower, ALateNodeKnowsTheBuyersOfFormerEpochs) {
    ASSERT_EQ(claim(6), Verdict::won);
    ASSERT_EQ(claim(7), Verdict::won);
    ASSERT_TRUE(warm(2));
    run_to_end(here.gate().release({StockGate::ClaimName(make_ticket(7))}));
    RedisNode late(options);
    ASSERT_TRUE(eventually([&] { return late.gate().glance(kSale, UserId{8}).warm; }));
    EXPECT_TRUE(late.gate().glance(kSale, UserId{6}).history) << "open still";
    EXPECT_TRUE(late.gate().glance(kSale, UserId{7}).history) << "given up";
    EXPECT_FALSE(late.gate().glance(kSale, UserId{5}).history);
}

/// As when a node was behind for so long that the log does not go back far enough.
TEST_F(RedisFollower, ReadsTheWholeCopyWhenEntriesOfTheLogAreMissing) {
    here.ask({"HSET", options.prefix + "{1}:1:buyers", "4", "2"});
    here.ask({"SET", options.prefix + "{1}:1:left", "1"});
    here.ask({"XADD", Keys(options.prefix).log(kSale), "1-50", "b", "0", "u", "0", "l", "1"});
    EXPECT_TRUE(eventually([&] { return glance(4).units == 2; }));
    EXPECT_EQ(glance(4).left, 1);
    ASSERT_EQ(claim(7), Verdict::won);
    EXPECT_TRUE(eventually([&] { return glance(7).history; })) << "and reads along from there";
}

TEST_F(RedisFollower, ACopyThatWasForgottenIsNoneEverywhere) {
    EXPECT_TRUE(run_to_end(here.gate().forget(kSale, 1)));
    EXPECT_TRUE(eventually([&] { return !glance(8).warm; }));
}

}  // namespace
}  // namespace sluice::redis
