#include <gmock/gmock.h>

#include "adapters/memory/memory_stock_gate.hpp"
#include "base/run_to_end.hpp"
#include "simulation/faulty_gate.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using Verdict = StockGate::Verdict;
using Ground = StockGate::Ground;

constexpr Timestamp kNow = from_millis(1'794'513'600'000);

/// A gate to be held to the contract, with whatever it needs around it.
class GateUnderTest {
  public:
    virtual ~GateUnderTest() = default;
    virtual StockGate& gate() = 0;
};

class InMemory final : public GateUnderTest {
  public:
    StockGate& gate() override { return gate_; }

  private:
    MemoryStockGate gate_;
};

/// The simulation's wrapper, with its faults off: it must not be laxer or stricter than what it
/// stands for.
class FaultyButCalm final : public GateUnderTest {
  public:
    FaultyButCalm() { schedule_.set_calm(true); }
    StockGate& gate() override { return faulty_; }

  private:
    boost::asio::io_context loop_;
    simulation::Chance chance_{1};
    simulation::Schedule schedule_{loop_, chance_};
    MemoryStockGate gate_;
    simulation::FaultyGate faulty_{gate_, schedule_};
};

struct GateAdapter {
    const char* name;
    std::unique_ptr<GateUnderTest> (*make)();
};

/// With sale 1: 5 units left, buyer 8 holds one, buyer 9 none but has history.
class StockGateContract : public testing::TestWithParam<GateAdapter> {
  protected:
    std::unique_ptr<GateUnderTest> made = GetParam().make();
    StockGate& gate = made->gate();

    void SetUp() override { run_to_end(gate.warm(make_copy())); }

    static StockGate::Copy make_copy(std::int64_t epoch = 1) {
        return {.sale = SaleId{1},
                .epoch = epoch,
                .left = 5,
                .holdings = {{UserId{8}, 1}, {UserId{9}, 0}}};
    }
    static Ticket make_ticket(std::int64_t buyer, unsigned char number = 1,
                              std::int64_t quantity = 1) {
        Ticket ticket;
        ticket.id = {SaleId{1}, Mark{number, static_cast<unsigned char>(buyer)}};
        ticket.buyer = UserId{buyer};
        ticket.quantity = quantity;
        ticket.claimed_at = kNow;
        return ticket;
    }
    StockGate::Claimed claim(const Ticket& ticket, std::int64_t limit = 2) {
        return run_to_end(gate.claim(ticket, limit));
    }
    std::vector<TicketId> settle(const Ticket& ticket) {
        return run_to_end(gate.settle({ticket.id}));
    }
    void release(const Ticket& ticket, Ground ground = Ground::not_handed_off) {
        run_to_end(gate.release({ticket.id}, ground));
    }
    std::vector<Ticket> condemn(Timestamp before) { return run_to_end(gate.condemn(before)); }
    StockGate::Snapshot snapshot() { return run_to_end(gate.snapshot(SaleId{1})).value(); }
    void expect_units(std::int64_t left, std::int64_t open) {
        EXPECT_EQ(snapshot().left, left);
        EXPECT_EQ(snapshot().open, open);
    }
};

TEST_P(StockGateContract, AClaimTakesUnitsInOneStep) {
    const auto claimed = claim(make_ticket(7, 1, 2));
    EXPECT_EQ(claimed.verdict, Verdict::won);
    EXPECT_EQ(claimed.left, 3);
    expect_units(3, 2);
    const auto glance = gate.glance(SaleId{1}, UserId{7});
    EXPECT_TRUE(glance.warm && glance.history);
    EXPECT_EQ(glance.left, 3);
    EXPECT_EQ(glance.units, 2);
}

TEST_P(StockGateContract, TheSameClaimIsTheSameClaim) {
    claim(make_ticket(7));
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::again);
    expect_units(4, 1);
    settle(make_ticket(7));
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::done);
    expect_units(4, 0);
}

TEST_P(StockGateContract, TheLimitCountsWhatIsHeldAndWhatIsOpen) {
    EXPECT_EQ(claim(make_ticket(8, 1, 2)).verdict, Verdict::already);
    EXPECT_EQ(claim(make_ticket(8, 2)).verdict, Verdict::won);
    const auto claimed = claim(make_ticket(8, 3));
    EXPECT_EQ(claimed.verdict, Verdict::already);
    EXPECT_EQ(claimed.latest, make_ticket(8, 2).id);
    EXPECT_EQ(claim(make_ticket(8, 3), 3).verdict, Verdict::won) << "the caller names the limit";
}

TEST_P(StockGateContract, ShowsOpenClaimsToTheirBuyerOnly) {
    const auto is_open = [this](const Ticket& ticket, std::int64_t buyer) {
        return run_to_end(gate.is_open(ticket.id, UserId{buyer}));
    };
    const auto latest = [this](std::int64_t buyer) {
        return run_to_end(gate.latest_open(SaleId{1}, UserId{buyer}));
    };
    EXPECT_FALSE(is_open(make_ticket(7), 7));
    EXPECT_EQ(latest(7), std::nullopt);
    claim(make_ticket(7, 1));
    claim(make_ticket(7, 2));
    EXPECT_TRUE(is_open(make_ticket(7, 1), 7) && is_open(make_ticket(7, 2), 7));
    EXPECT_FALSE(is_open(make_ticket(7, 1), 8));
    EXPECT_EQ(latest(7), make_ticket(7, 2).id);
    EXPECT_EQ(latest(8), std::nullopt);
    release(make_ticket(7, 2));
    EXPECT_FALSE(is_open(make_ticket(7, 2), 7));
    EXPECT_EQ(latest(7), make_ticket(7, 1).id) << "the one before is open still";
    settle(make_ticket(7, 1));
    EXPECT_FALSE(is_open(make_ticket(7, 1), 7));
    EXPECT_EQ(latest(7), std::nullopt);
    EXPECT_EQ(run_to_end(gate.latest_open(SaleId{2}, UserId{7})), std::nullopt);
}

TEST_P(StockGateContract, CountsTheChangesOfABuyersUnits) {
    std::int64_t seen = gate.glance(SaleId{1}, UserId{9}).changes;
    const auto has_changed = [&] {
        const auto changes = gate.glance(SaleId{1}, UserId{9}).changes;
        return changes != std::exchange(seen, changes);
    };
    claim(make_ticket(8));
    claim(make_ticket(9, 1, 3));
    EXPECT_FALSE(has_changed()) << "another's claim, and one over the limit";
    claim(make_ticket(9, 1));
    EXPECT_TRUE(has_changed());
    release(make_ticket(9, 1));
    EXPECT_TRUE(has_changed());
    run_to_end(
        gate.apply({{.sale = SaleId{1}, .delta_left = -1, .buyer = UserId{9}, .delta_units = 1}}));
    EXPECT_TRUE(has_changed());
    run_to_end(gate.warm(make_copy(2)));
    EXPECT_TRUE(has_changed());
}

TEST_P(StockGateContract, SellsWhatThereIsAndNoMore) {
    for (std::int64_t buyer = 1; buyer <= 4; ++buyer) claim(make_ticket(buyer));
    const auto claimed = claim(make_ticket(5, 1, 2));
    EXPECT_EQ(claimed.verdict, Verdict::sold_out);
    EXPECT_EQ(claimed.left, 1);
    EXPECT_EQ(claim(make_ticket(5)).verdict, Verdict::won);
    EXPECT_EQ(claim(make_ticket(6)).verdict, Verdict::sold_out);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{6}).left, 0);
    EXPECT_FALSE(gate.glance(SaleId{1}, UserId{6}).history) << "a no leaves nothing behind";
}

TEST_P(StockGateContract, ReleasingReturnsTheUnitsOnce) {
    claim(make_ticket(7, 1, 2));
    release(make_ticket(7, 1, 2));
    release(make_ticket(7, 1, 2));
    expect_units(5, 0);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{7}).units, 0);
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{7}).history);
    EXPECT_EQ(claim(make_ticket(7, 1, 2)).verdict, Verdict::won) << "it may be tried again";
}

TEST_P(StockGateContract, ClearsSoldOutWhenUnitsReturn) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) claim(make_ticket(buyer));
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{6}).left, 0);
    release(make_ticket(1));
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{6}).left, 1);
    EXPECT_EQ(claim(make_ticket(6)).verdict, Verdict::won);
}

TEST_P(StockGateContract, SettlingKeepsTheUnitsOnceAndForGood) {
    claim(make_ticket(7));
    EXPECT_THAT(settle(make_ticket(7)), IsEmpty());
    EXPECT_THAT(settle(make_ticket(7)), IsEmpty()) << "a second one is the same one";
    release(make_ticket(7));
    expect_units(4, 0);
    EXPECT_THAT(snapshot().holdings, UnorderedElementsAre(Pair(UserId{7}, 1), Pair(UserId{8}, 1)));
}

TEST_P(StockGateContract, SettlingNamesWhatWasNotOpenHoweverOftenItIsAsked) {
    claim(make_ticket(7));
    release(make_ticket(7));
    EXPECT_THAT(settle(make_ticket(7)), ElementsAre(make_ticket(7).id));
    EXPECT_THAT(settle(make_ticket(7)), ElementsAre(make_ticket(7).id));
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::done);
    expect_units(5, 0);
}

TEST_P(StockGateContract, AClaimInSeveralHandsStaysUntilTheJournalHasSpoken) {
    claim(make_ticket(7));
    claim(make_ticket(7));
    release(make_ticket(7));
    expect_units(4, 1);
    condemn(kNow + 1ms);
    release(make_ticket(7));
    expect_units(4, 1);
    release(make_ticket(7), Ground::rolled_back);
    expect_units(5, 0);
}

TEST_P(StockGateContract, ACondemnedClaimIsLeftToWhoeverFencesIt) {
    claim(make_ticket(7));
    condemn(kNow + 1ms);
    release(make_ticket(7));
    expect_units(4, 1);
    release(make_ticket(7), Ground::rolled_back);
    expect_units(5, 0);
}

TEST_P(StockGateContract, CondemnsByAgeAndAgainUntilSomebodySettlesIt) {
    claim(make_ticket(7));
    EXPECT_THAT(condemn(kNow), IsEmpty());
    ASSERT_EQ(condemn(kNow + 1ms).size(), 1U);
    const auto again = condemn(kNow + 1ms);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].id, make_ticket(7).id);
    EXPECT_EQ(again[0].buyer, UserId{7});
    expect_units(4, 1);
    settle(make_ticket(7));
    EXPECT_THAT(condemn(kNow + 1ms), IsEmpty());
}

TEST_P(StockGateContract, WhatWasHandedOffIsNotCondemnedAndTheOtherWayRound) {
    const std::vector<TicketId> both{make_ticket(6).id, make_ticket(7).id};
    claim(make_ticket(6));
    EXPECT_THAT(run_to_end(gate.hand_off(both)), ElementsAre(make_ticket(6).id));
    claim(make_ticket(7));
    EXPECT_EQ(condemn(kNow + 1ms).size(), 1U);
    EXPECT_THAT(run_to_end(gate.hand_off(both)), ElementsAre(make_ticket(6).id));
}

TEST_P(StockGateContract, AppliesWhatTheLedgerHasDone) {
    using Moves = std::vector<StockGate::Move>;
    run_to_end(gate.apply(
        Moves{{.sale = SaleId{1}, .delta_left = 1, .buyer = UserId{8}, .delta_units = -1}}));
    expect_units(6, 0);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{8}).units, 0);
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{8}).history);
    run_to_end(
        gate.apply(Moves{{.sale = SaleId{1}, .delta_left = -7, .buyer = {}, .delta_units = 0}}));
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{8}).left, -1);
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::sold_out) << "less than none is none";
}

TEST_P(StockGateContract, IsClosedForOtherSalesAndOtherEpochs) {
    auto elsewhere = make_ticket(7);
    elsewhere.id.sale = SaleId{2};
    EXPECT_EQ(claim(elsewhere).verdict, Verdict::closed);
    EXPECT_FALSE(gate.glance(SaleId{2}, UserId{7}).warm);
    EXPECT_FALSE(run_to_end(gate.snapshot(SaleId{2})));
    auto later = make_ticket(7);
    later.epoch = 2;
    EXPECT_EQ(claim(later).verdict, Verdict::closed);
    expect_units(5, 0);
}

TEST_P(StockGateContract, WarmingBeginsAnew) {
    claim(make_ticket(7));
    run_to_end(gate.warm(make_copy(2)));
    EXPECT_EQ(snapshot().epoch, 2);
    expect_units(5, 0);
    EXPECT_THAT(snapshot().holdings, ElementsAre(Pair(UserId{8}, 1)));
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{9}).history);
    EXPECT_FALSE(gate.glance(SaleId{1}, UserId{7}).history);
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::closed);
}

INSTANTIATE_TEST_SUITE_P(Adapters, StockGateContract,
                         testing::Values(GateAdapter{"memory",
                                                     []() -> std::unique_ptr<GateUnderTest> {
                                                         return std::make_unique<InMemory>();
                                                     }},
                                         GateAdapter{"faulty_but_calm",
                                                     []() -> std::unique_ptr<GateUnderTest> {
                                                         return std::make_unique<FaultyButCalm>();
                                                     }}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sluice
