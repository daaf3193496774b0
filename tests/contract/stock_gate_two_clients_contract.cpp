// The stock gate used by two threads at once, like two event loops or two nodes.

#include <algorithm>
#include <functional>
#include <iterator>
#include <latch>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "adapters/memory/memory_stock_gate.hpp"
#include "base/run_to_end.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/warm_copy.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using Verdict = StockGate::Verdict;

constexpr Timestamp kNow = from_millis(1'794'513'600'000);
constexpr int kTickets = 200;

/// Two clients of the same copies.
class TwoGates {
  public:
    virtual ~TwoGates() = default;
    virtual StockGate& first() = 0;
    virtual StockGate& second() = 0;
};

class OneInMemory final : public TwoGates {
  public:
    StockGate& first() override { return gate_; }
    StockGate& second() override { return gate_; }

  private:
    MemoryStockGate gate_;
};

/// Two threads of one process, which share its link.
class OneNodeOfRedis final : public TwoGates {
  public:
    StockGate& first() override { return node_.gate(); }
    StockGate& second() override { return node_.gate(); }

  private:
    testing_support::RedisNode node_{testing_support::RedisServer::shared().options()};
};

class TwoNodesOfRedis final : public TwoGates {
  public:
    StockGate& first() override { return first_.gate(); }
    StockGate& second() override { return second_.gate(); }

  private:
    const redis::Options options_ = testing_support::RedisServer::shared().options();
    testing_support::RedisNode first_{options_}, second_{options_};
};

struct GateMaker {
    const char* name;
    std::unique_ptr<TwoGates> (*make)();
};

/// With sale 1: 100 units left, buyer 8 holds one.
class StockGateTwoClientsContract : public testing::TestWithParam<GateMaker> {
  protected:
    std::unique_ptr<TwoGates> gates = GetParam().make();

    void SetUp() override { ASSERT_TRUE(warm(gates->first(), 1)); }

    static bool warm(StockGate& gate, std::int64_t epoch) {
        return testing_support::warm(
            gate, {.epoch = epoch, .left = 100, .holdings = {{UserId{8}, 1}, {UserId{9}, 0}}});
    }
    /// Each has a buyer of its own and is claimed a millisecond after the one before.
    static Ticket make_ticket(int number, std::int64_t epoch = 1) {
        Ticket ticket;
        ticket.id = {SaleId{1}, Mark{static_cast<unsigned char>(number),
                                     static_cast<unsigned char>(number >> 8)}};
        ticket.buyer = UserId{1'000 + number};
        ticket.epoch = epoch;
        ticket.claimed_at = kNow + std::chrono::milliseconds{number};
        return ticket;
    }
    using Work = std::function<void(StockGate&)>;
    /// Runs both at the same time, each on a thread of its own with a client of its own.
    void at_once(const Work& first, const Work& second) {
        std::latch both_are_ready(2);
        const auto run = [&](const Work& work, StockGate& gate) {
            both_are_ready.arrive_and_wait();
            work(gate);
        };
        const std::jthread one([&] { run(first, gates->first()); });
        const std::jthread two([&] { run(second, gates->second()); });
    }
    static Verdict claim(StockGate& gate, const Ticket& ticket, std::int64_t limit = 2) {
        return run_to_end(gate.claim(ticket, limit)).verdict;
    }
    void claim_all(int tickets) {
        for (int number = 0; number < tickets; ++number)
            ASSERT_EQ(claim(gates->first(), make_ticket(number)), Verdict::won);
    }
    StockGate::Snapshot snapshot() {
        return run_to_end(gates->first().snapshot(SaleId{1})).value();
    }
    void expect_units(std::int64_t left, std::int64_t open) {
        EXPECT_EQ(snapshot().left, left);
        EXPECT_EQ(snapshot().open, open);
    }
};

TEST_P(StockGateTwoClientsContract, TheLastUnitsAreWonOnce) {
    int won[2] = {0, 0};
    const auto buy = [&](StockGate& gate, int parity) {
        for (int number = parity; number < kTickets; number += 2)
            won[parity] += claim(gate, make_ticket(number)) == Verdict::won ? 1 : 0;
    };
    at_once([&](StockGate& gate) { buy(gate, 0); }, [&](StockGate& gate) { buy(gate, 1); });
    EXPECT_EQ(won[0] + won[1], 100);
    expect_units(0, 100);
}

TEST_P(StockGateTwoClientsContract, OneTicketIsOneClaim) {
    std::vector<Verdict> mine, theirs;
    const auto buy = [&](StockGate& gate, std::vector<Verdict>& verdicts) {
        for (int number = 0; number < 100; ++number)
            verdicts.push_back(claim(gate, make_ticket(number)));
    };
    at_once([&](StockGate& gate) { buy(gate, mine); }, [&](StockGate& gate) { buy(gate, theirs); });
    for (std::size_t i = 0; i < 100; ++i)
        EXPECT_THAT((std::vector{mine[i], theirs[i]}),
                    UnorderedElementsAre(Verdict::won, Verdict::again));
    expect_units(0, 100);
}

TEST_P(StockGateTwoClientsContract, ABuyerStaysWithinTheLimit) {
    int won[2] = {0, 0};
    const auto buy = [&](StockGate& gate, int parity) {
        for (int number = parity; number < 60; number += 2) {
            auto ticket = make_ticket(number);
            ticket.buyer = UserId{1'000 + number / 6};  // three tickets of each client
            won[parity] += claim(gate, ticket) == Verdict::won ? 1 : 0;
        }
    };
    at_once([&](StockGate& gate) { buy(gate, 0); }, [&](StockGate& gate) { buy(gate, 1); });
    EXPECT_EQ(won[0] + won[1], 20) << "two for each of ten buyers";
    expect_units(80, 20);
}

TEST_P(StockGateTwoClientsContract, UnitsReturnOnce) {
    claim_all(100);
    const auto release = [&](StockGate& gate) {
        for (int number = 0; number < 100; ++number)
            run_to_end(gate.release({StockGate::ClaimName(make_ticket(number))}));
    };
    at_once(release, release);
    expect_units(100, 0);
}

TEST_P(StockGateTwoClientsContract, AClaimIsSettledOnceAndNeverMissed) {
    claim_all(100);
    std::vector<TicketId> missed[2];
    const auto settle = [&](StockGate& gate, std::vector<TicketId>& list) {
        for (int number = 0; number < 100; ++number)
            for (const auto& id :
                 run_to_end(gate.settle({StockGate::ClaimName(make_ticket(number))})))
                list.push_back(id);
    };
    at_once([&](StockGate& gate) { settle(gate, missed[0]); },
            [&](StockGate& gate) { settle(gate, missed[1]); });
    EXPECT_THAT(missed[0], IsEmpty());
    EXPECT_THAT(missed[1], IsEmpty());
    expect_units(0, 0);
    EXPECT_EQ(snapshot().holdings.size(), 101U) << "each buyer, and buyer 8";
}

TEST_P(StockGateTwoClientsContract, AClaimIsHandedOffOrCondemned) {
    claim_all(100);
    std::set<TicketId> handed_off, condemned;
    const auto hand_off = [&](StockGate& gate) {
        for (int number = 0; number < 100; ++number)
            for (const auto& id :
                 run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(number))})))
                handed_off.insert(id);
    };
    const auto condemn = [&](StockGate& gate) {
        // The claims become old enough one after the other.
        for (int number = 1; number <= 100; ++number)
            for (const auto& ticket : run_to_end(gate.condemn(kNow + 1ms * number)))
                condemned.insert(ticket.id);
    };
    at_once(hand_off, condemn);
    for (const auto& ticket : run_to_end(gates->first().condemn(kNow + 1s)))
        condemned.insert(ticket.id);
    std::vector<TicketId> both;
    std::ranges::set_intersection(handed_off, condemned, std::back_inserter(both));
    EXPECT_THAT(both, IsEmpty()) << "promised as queued, and fenced all the same";
    EXPECT_EQ(handed_off.size() + condemned.size(), 100U);
}

TEST_P(StockGateTwoClientsContract, ARowOfTheOutboxIsAppliedOnce) {
    const auto apply = [&](StockGate& gate) {
        for (std::int64_t seq = 1; seq <= 100; ++seq) {
            const HotChange row{.seq = seq, .delta_left = 1, .buyer = UserId{7}, .delta_units = 1};
            run_to_end(gate.apply(SaleId{1}, 1, {row}));
        }
    };
    at_once(apply, apply);
    EXPECT_EQ(snapshot().applied, 100);
    expect_units(200, 0);
    EXPECT_THAT(snapshot().holdings,
                UnorderedElementsAre(Pair(UserId{7}, 100), Pair(UserId{8}, 1)));
}

TEST_P(StockGateTwoClientsContract, WhatIsClaimedWhileACopyIsOpenedIsOfOneEpoch) {
    int won_in_new = 0;
    const auto buy = [&](StockGate& gate) {
        std::int64_t epoch = 1;
        for (int number = 0; number < 90; ++number) {
            auto verdict = claim(gate, make_ticket(number, epoch));
            if (verdict == Verdict::moved) {
                epoch = 2;
                verdict = claim(gate, make_ticket(number, epoch));
            }
            EXPECT_EQ(verdict, Verdict::won);
            won_in_new += epoch == 2 ? 1 : 0;
        }
    };
    at_once(buy, [&](StockGate& gate) { EXPECT_TRUE(warm(gate, 2)); });
    EXPECT_EQ(snapshot().epoch, 2);
    EXPECT_EQ(snapshot().left, 100 - won_in_new) << "a claim of epoch 1 takes nothing of epoch 2";
}

TEST_P(StockGateTwoClientsContract, TwoFillingsNeverMix) {
    bool is_open[2] = {false, false};
    at_once([&](StockGate& gate) { is_open[0] = warm(gate, 2); },
            [&](StockGate& gate) { is_open[1] = warm(gate, 3); });
    EXPECT_TRUE(is_open[0] || is_open[1]);
    EXPECT_EQ(snapshot().epoch, is_open[1] ? 3 : 2);
    expect_units(100, 0);
    EXPECT_THAT(snapshot().holdings, UnorderedElementsAre(Pair(UserId{8}, 1)));
}

template <class Gates>
std::unique_ptr<TwoGates> make() {
    return std::make_unique<Gates>();
}

INSTANTIATE_TEST_SUITE_P(Adapters, StockGateTwoClientsContract,
                         testing::Values(GateMaker{"memory", make<OneInMemory>},
                                         GateMaker{"redis", make<OneNodeOfRedis>},
                                         GateMaker{"two_nodes_of_redis", make<TwoNodesOfRedis>}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sluice
