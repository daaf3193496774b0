#include <utility>

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
        return run_to_end(gate.settle({StockGate::ClaimName(ticket)}));
    }
    void release(const Ticket& ticket, Ground ground = Ground::not_handed_off) {
        run_to_end(gate.release({StockGate::ClaimName(ticket)}, ground));
    }
    bool is_open(const Ticket& ticket) { return run_to_end(gate.is_open(ticket.id, ticket.buyer)); }
    bool warm(const StockGate::Copy& copy) { return run_to_end(gate.warm(copy)); }
    /// Of buyer 7.
    void apply(std::int64_t epoch, std::int64_t left, std::int64_t units) {
        run_to_end(gate.apply(std::vector<StockGate::Move>{{.sale = SaleId{1},
                                                            .epoch = epoch,
                                                            .delta_left = left,
                                                            .buyer = UserId{7},
                                                            .delta_units = units}}));
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
    const std::vector<StockGate::ClaimName> both{StockGate::ClaimName(make_ticket(6)),
                                                 StockGate::ClaimName(make_ticket(7))};
    claim(make_ticket(6));
    EXPECT_THAT(run_to_end(gate.hand_off(both)), ElementsAre(make_ticket(6).id));
    claim(make_ticket(7));
    EXPECT_EQ(condemn(kNow + 1ms).size(), 1U);
    EXPECT_THAT(run_to_end(gate.hand_off(both)), ElementsAre(make_ticket(6).id));
}

TEST_P(StockGateContract, AppliesWhatTheLedgerHasDone) {
    using Moves = std::vector<StockGate::Move>;
    run_to_end(gate.apply(Moves{
        {.sale = SaleId{1}, .epoch = 1, .delta_left = 1, .buyer = UserId{8}, .delta_units = -1}}));
    expect_units(6, 0);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{8}).units, 0);
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{8}).history);
    run_to_end(gate.apply(
        Moves{{.sale = SaleId{1}, .epoch = 1, .delta_left = -7, .buyer = {}, .delta_units = 0}}));
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
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{7}).units, 0);
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{7}).history) << "the claim may yet be committed";
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::closed);
}

TEST_P(StockGateContract, AnEpochComesOnce) {
    EXPECT_FALSE(warm(make_copy(1)));
    EXPECT_TRUE(warm(make_copy(3)));
    EXPECT_FALSE(warm(make_copy(2)));
    EXPECT_EQ(snapshot().epoch, 3);
}

TEST_P(StockGateContract, WhatWasClaimedInAFormerEpochChangesNothing) {
    claim(make_ticket(6));
    claim(make_ticket(7));
    warm(make_copy(2));
    EXPECT_THAT(settle(make_ticket(6)), IsEmpty()) << "it is for the caller to say that it is new";
    release(make_ticket(7), Ground::rolled_back);
    EXPECT_THAT(run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(7))})), IsEmpty());
    EXPECT_THAT(condemn(kNow + 1ms), IsEmpty());
    expect_units(5, 0);
}

TEST_P(StockGateContract, AMoveThatWasCommittedBeforeTheCopyWasReadIsInIt) {
    warm(make_copy(2));
    apply(1, -1, 1);
    expect_units(5, 0);
    apply(2, -1, 1);
    expect_units(4, 0);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{7}).units, 1);
}

TEST_P(StockGateContract, AMoveOfTheNextEpochWaitsForItsCopy) {
    EXPECT_EQ(run_to_end(gate.expect(SaleId{1})), 1);
    apply(2, -2, 2);
    expect_units(5, 0);
    EXPECT_TRUE(warm(make_copy(2)));
    expect_units(3, 0);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{7}).units, 2);
    warm(make_copy(3));
    expect_units(5, 0);
}

TEST_P(StockGateContract, AMoveAlsoWaitsForTheFirstCopy) {
    const SaleId cold{2};
    EXPECT_EQ(run_to_end(gate.expect(cold)), 0);
    EXPECT_FALSE(gate.glance(cold, UserId{7}).warm);
    EXPECT_FALSE(run_to_end(gate.snapshot(cold)));
    std::vector<StockGate::Move> moves;
    for (const std::int64_t epoch : {1, 2, 3})
        moves.push_back(
            {.sale = cold, .epoch = epoch, .delta_left = 10, .buyer = {}, .delta_units = 0});
    run_to_end(gate.apply(moves));
    auto copy = make_copy(2);
    copy.sale = cold;
    EXPECT_TRUE(warm(copy));
    EXPECT_EQ(gate.glance(cold, UserId{7}).left, 15);
    copy.epoch = 3;
    EXPECT_TRUE(warm(copy));
    EXPECT_EQ(gate.glance(cold, UserId{7}).left, 15) << "and so it does for the one after that";
}

TEST_P(StockGateContract, ACopyForWhichMovesWereLostIsNotTaken) {
    const StockGate::Move one{
        .sale = SaleId{1}, .epoch = 2, .delta_left = 1, .buyer = {}, .delta_units = 0};
    run_to_end(gate.apply(std::vector(StockGate::kMostWaitingMoves, one)));
    EXPECT_TRUE(warm(make_copy(2)));
    expect_units(5 + static_cast<std::int64_t>(StockGate::kMostWaitingMoves), 0);
    auto next = one;
    next.epoch = 3;
    run_to_end(gate.apply(std::vector(StockGate::kMostWaitingMoves + 1, next)));
    EXPECT_FALSE(warm(make_copy(3)));
    EXPECT_EQ(snapshot().epoch, 2);
    EXPECT_TRUE(warm(make_copy(4)));
    expect_units(5, 0);
}

TEST_P(StockGateContract, AClaimOfAFormerEpochIsOpenUntilItsFateIsKnown) {
    const auto committed = make_ticket(6), refused = make_ticket(7), abandoned = make_ticket(9);
    for (const auto& ticket : {committed, refused, abandoned}) claim(ticket);
    warm(make_copy(2));
    EXPECT_TRUE(is_open(refused));
    EXPECT_EQ(run_to_end(gate.latest_open(SaleId{1}, UserId{7})), refused.id);
    EXPECT_FALSE(run_to_end(gate.is_open(refused.id, UserId{8}))) << "somebody else's";
    settle(committed);
    release(refused, Ground::rolled_back);
    EXPECT_FALSE(is_open(committed));
    EXPECT_FALSE(is_open(refused));
    EXPECT_FALSE(run_to_end(gate.forget(SaleId{1}, 2))) << "one is open";
    const auto condemned = condemn(kNow + 1ms);
    ASSERT_EQ(condemned.size(), 1U);
    EXPECT_EQ(condemned[0].id, abandoned.id);
    release(abandoned);
    EXPECT_TRUE(is_open(abandoned)) << "it goes by what the journal says";
    release(abandoned, Ground::rolled_back);
    EXPECT_FALSE(is_open(abandoned));
    expect_units(5, 0);
    EXPECT_TRUE(run_to_end(gate.forget(SaleId{1}, 2)));
}

TEST_P(StockGateContract, ForgetsACopyOfWhichNothingIsOpen) {
    claim(make_ticket(7));
    EXPECT_FALSE(run_to_end(gate.forget(SaleId{1}, 1)));
    settle(make_ticket(7));
    EXPECT_FALSE(run_to_end(gate.forget(SaleId{1}, 2))) << "of another epoch";
    EXPECT_FALSE(run_to_end(gate.forget(SaleId{2}, 1)));
    EXPECT_TRUE(run_to_end(gate.forget(SaleId{1}, 1)));
    EXPECT_FALSE(gate.glance(SaleId{1}, UserId{8}).warm);
    EXPECT_EQ(claim(make_ticket(6)).verdict, Verdict::closed);
    apply(1, 1, 0);
    EXPECT_THAT(settle(make_ticket(7)), IsEmpty());
    EXPECT_THAT(run_to_end(gate.copies()), IsEmpty());
}

TEST_P(StockGateContract, NamesItsCopiesInTheOrderOfTheSales) {
    for (const std::int64_t id : {3, 2}) {
        auto copy = make_copy(10 * id);
        copy.sale = SaleId{id};
        warm(copy);
    }
    run_to_end(gate.expect(SaleId{4}));
    std::vector<std::pair<SaleId, std::int64_t>> copies;
    for (const auto& [sale, epoch] : run_to_end(gate.copies())) copies.emplace_back(sale, epoch);
    EXPECT_THAT(copies, ElementsAre(Pair(SaleId{1}, 1), Pair(SaleId{2}, 20), Pair(SaleId{3}, 30)));
}

TEST_P(StockGateContract, CountsItsChanges) {
    auto changes = snapshot().changes;
    const auto has_changed = [&] {
        const auto before = std::exchange(changes, snapshot().changes);
        return changes != before;
    };
    EXPECT_FALSE(has_changed());
    claim(make_ticket(7));
    EXPECT_TRUE(has_changed());
    claim(make_ticket(7));
    EXPECT_FALSE(has_changed());
    settle(make_ticket(7));
    EXPECT_TRUE(has_changed());
    claim(make_ticket(6));
    EXPECT_TRUE(has_changed());
    release(make_ticket(6));
    EXPECT_TRUE(has_changed());
    apply(1, 1, 0);
    EXPECT_TRUE(has_changed());
    warm(make_copy(2));
    EXPECT_TRUE(has_changed());
    EXPECT_TRUE(snapshot().steady);
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
