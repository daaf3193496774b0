#include "contract/stock_gates.hpp"

namespace sluice::contract {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using Verdict = StockGate::Verdict;

TEST_P(StockGateContract, AClaimTakesUnitsInOneStep) {
    const auto claimed = claim(make_ticket(7, 1, 2));
    EXPECT_EQ(claimed.verdict, Verdict::won);
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
    claim(make_ticket(6));
    release(make_ticket(6));
    EXPECT_EQ(claim(make_ticket(6)).verdict, Verdict::done) << "the journal says what came of it";
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
    apply({{.seq = 1, .delta_left = -1, .buyer = UserId{9}, .delta_units = 1}});
    EXPECT_TRUE(has_changed());
    warm(make_copy(2));
    EXPECT_TRUE(has_changed());
}

TEST_P(StockGateContract, SellsWhatThereIsAndNoMore) {
    for (std::int64_t buyer = 1; buyer <= 4; ++buyer) claim(make_ticket(buyer));
    const auto claimed = claim(make_ticket(5, 1, 2));
    EXPECT_EQ(claimed.verdict, Verdict::sold_out);
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
    EXPECT_EQ(claim(make_ticket(7, 2, 2)).verdict, Verdict::won) << "the next try has another name";
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

TEST_P(StockGateContract, SettlingNamesWhatTheCopyDoesNotKnow) {
    EXPECT_THAT(settle(make_ticket(7)), ElementsAre(make_ticket(7).id));
    EXPECT_THAT(settle(make_ticket(7)), ElementsAre(make_ticket(7).id))
        << "until it is filled anew";
    claim(make_ticket(6));
    release(make_ticket(6));
    EXPECT_THAT(settle(make_ticket(6)), IsEmpty()) << "it is done";
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

TEST_P(StockGateContract, ListsWhatWasHandedOffLongAgo) {
    const auto list = [this](Timestamp before) {
        std::vector<TicketId> tickets;
        for (const auto& ticket : run_to_end(gate.handed_off(before))) tickets.push_back(ticket.id);
        return tickets;
    };
    claim(make_ticket(6));
    claim(make_ticket(7));
    EXPECT_THAT(list(kNow + 1ms), IsEmpty());
    run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(7))}));
    EXPECT_THAT(list(kNow), IsEmpty());
    EXPECT_THAT(list(kNow + 1ms), ElementsAre(make_ticket(7).id));
    warm(make_copy(2));
    EXPECT_THAT(list(kNow + 1ms), ElementsAre(make_ticket(7).id)) << "also of a former epoch";
    release(make_ticket(7));
    EXPECT_THAT(list(kNow + 1ms), IsEmpty());
}

TEST_P(StockGateContract, AppliesWhatTheLedgerHasDone) {
    apply({{.seq = 1, .delta_left = 1, .buyer = UserId{8}, .delta_units = -1}});
    expect_units(6, 0);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{8}).units, 0);
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{8}).history);
    apply({{.seq = 2, .delta_left = -7, .buyer = {}, .delta_units = 0}});
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{8}).left, -1);
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::sold_out) << "less than none is none";
}

TEST_P(StockGateContract, AppliesEachRowOnceAndInOrder) {
    EXPECT_EQ(apply({row(1, 1), row(2, 2, -1)}), 2);
    expect_units(8, 0);
    EXPECT_EQ(apply({row(1, 1), row(2, 2), row(3, 3)}), 3) << "what it has is skipped";
    expect_units(11, 0);
    EXPECT_EQ(apply({row(5, 5)}), 3) << "a gap ends it";
    expect_units(11, 0);
    EXPECT_EQ(apply({row(4, 1)}, 2), std::nullopt) << "of another epoch";
    expect_units(11, 0);
    EXPECT_EQ(run_to_end(gate.open_copy(SaleId{1}))->applied, 3);
}

TEST_P(StockGateContract, ACopyHasTheRowsThatWereReadWithIt) {
    auto copy = make_copy(2);
    copy.applied = 7;
    warm(copy);
    EXPECT_EQ(apply({row(7, 1)}, 2), 7);
    expect_units(5, 0);
    EXPECT_EQ(apply({row(8, 1)}, 2), 8);
    expect_units(6, 0);
}

TEST_P(StockGateContract, IsClosedForOtherSalesAndOtherEpochs) {
    auto elsewhere = make_ticket(7);
    elsewhere.id.sale = SaleId{2};
    EXPECT_EQ(claim(elsewhere).verdict, Verdict::closed);
    EXPECT_FALSE(gate.glance(SaleId{2}, UserId{7}).warm);
    EXPECT_FALSE(run_to_end(gate.snapshot(SaleId{2})));
    auto later = make_ticket(7);
    later.epoch = 2;
    EXPECT_EQ(claim(later).verdict, Verdict::moved);
    expect_units(5, 0);
}

TEST_P(StockGateContract, WarmingBeginsAnew) {
    claim(make_ticket(7));
    warm(make_copy(2));
    EXPECT_EQ(snapshot().epoch, 2);
    expect_units(5, 0);
    EXPECT_THAT(snapshot().holdings, ElementsAre(Pair(UserId{8}, 1)));
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{9}).history);
    EXPECT_EQ(gate.glance(SaleId{1}, UserId{7}).units, 0);
    EXPECT_TRUE(gate.glance(SaleId{1}, UserId{7}).history) << "the claim may yet be committed";
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::moved);
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
    EXPECT_THAT(settle(make_ticket(6)), IsEmpty()) << "the outbox tells of it";
    release(make_ticket(7));
    EXPECT_THAT(run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(7))})), IsEmpty());
    EXPECT_THAT(condemn(kNow + 1ms), IsEmpty());
    expect_units(5, 0);
}

TEST_P(StockGateContract, SellsFromTheOldCopyUntilTheNewOneIsOpened) {
    const StockGate::Filling next{SaleId{1}, 2, "ledger"};
    EXPECT_TRUE(run_to_end(gate.begin_fill(next, 9, 4)));
    EXPECT_TRUE(run_to_end(gate.fill(next, {{UserId{8}, 1}})));
    EXPECT_EQ(claim(make_ticket(7)).verdict, Verdict::won);
    EXPECT_TRUE(run_to_end(gate.fill(next, {{UserId{9}, 2}})));
    EXPECT_EQ(snapshot().epoch, 1);
    EXPECT_TRUE(run_to_end(gate.open_epoch(next)));
    expect_units(9, 0);
    EXPECT_THAT(snapshot().holdings, UnorderedElementsAre(Pair(UserId{8}, 1), Pair(UserId{9}, 2)));
    EXPECT_EQ(run_to_end(gate.open_copy(SaleId{1}))->filling, next);
    EXPECT_FALSE(run_to_end(gate.open_epoch(next))) << "once";
}

TEST_P(StockGateContract, TheHigherOfTwoFillingsWins) {
    const StockGate::Filling low{SaleId{1}, 2, "ledger"}, high{SaleId{1}, 3, "ledger"};
    EXPECT_TRUE(run_to_end(gate.begin_fill(low, 1, 0)));
    EXPECT_TRUE(run_to_end(gate.begin_fill(high, 2, 0)));
    EXPECT_TRUE(run_to_end(gate.open_epoch(high)));
    EXPECT_FALSE(run_to_end(gate.fill(low, {}))) << "it was overtaken";
    EXPECT_FALSE(run_to_end(gate.open_epoch(low)));
    EXPECT_FALSE(run_to_end(gate.begin_fill(low, 1, 0)));
    expect_units(2, 0);
}

TEST_P(StockGateContract, AnEpochIsFilledByOne) {
    const StockGate::Filling next{SaleId{1}, 2, "ledger"};
    EXPECT_TRUE(run_to_end(gate.begin_fill(next, 9, 4)));
    EXPECT_TRUE(run_to_end(gate.fill(next, {{UserId{8}, 1}})));
    EXPECT_FALSE(run_to_end(gate.begin_fill(next, 7, 0))) << "it has begun";
    EXPECT_TRUE(run_to_end(gate.fill(next, {{UserId{8}, 1}}))) << "a chunk may come twice";
    EXPECT_TRUE(run_to_end(gate.open_epoch(next)));
    expect_units(9, 0);
    EXPECT_THAT(snapshot().holdings, ElementsAre(Pair(UserId{8}, 1)));
}

TEST_P(StockGateContract, AFillingOfAnotherLedgerIsAnotherOne) {
    EXPECT_TRUE(run_to_end(gate.begin_fill({SaleId{1}, 2, "restored"}, 1, 0)));
    EXPECT_FALSE(run_to_end(gate.fill({SaleId{1}, 2, "ledger"}, {})));
    EXPECT_FALSE(run_to_end(gate.open_epoch({SaleId{1}, 2, "ledger"})));
    EXPECT_EQ(snapshot().epoch, 1);
}

TEST_P(StockGateContract, ACopyThatWasNotOpenedIsNone) {
    EXPECT_TRUE(run_to_end(gate.begin_fill({SaleId{2}, 1, "ledger"}, 1, 0)));
    EXPECT_FALSE(gate.glance(SaleId{2}, UserId{7}).warm);
    EXPECT_FALSE(run_to_end(gate.snapshot(SaleId{2})));
    EXPECT_FALSE(run_to_end(gate.open_copy(SaleId{2})));
}

TEST_P(StockGateContract, AClaimOfAFormerEpochIsOpenUntilItsFateIsKnown) {
    const auto committed = make_ticket(6), refused = make_ticket(7), abandoned = make_ticket(9);
    for (const auto& ticket : {committed, refused, abandoned}) claim(ticket);
    warm(make_copy(2));
    EXPECT_TRUE(is_open(refused));
    EXPECT_EQ(run_to_end(gate.latest_open(SaleId{1}, UserId{7})), refused.id);
    EXPECT_FALSE(run_to_end(gate.is_open(refused.id, UserId{8}))) << "somebody else's";
    settle(committed);
    release(refused);
    EXPECT_FALSE(is_open(committed));
    EXPECT_FALSE(is_open(refused));
    EXPECT_FALSE(run_to_end(gate.forget(SaleId{1}, 2))) << "one is open";
    const auto condemned = condemn(kNow + 1ms);
    ASSERT_EQ(condemned.size(), 1U);
    EXPECT_EQ(condemned[0].id, abandoned.id);
    release(abandoned);
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
    EXPECT_EQ(apply({row(1, 1)}), std::nullopt);
    EXPECT_THAT(settle(make_ticket(7)), IsEmpty());
    EXPECT_THAT(run_to_end(gate.open_copies()), IsEmpty());
}

TEST_P(StockGateContract, NamesItsCopiesInTheOrderOfTheSales) {
    for (const std::int64_t id : {3, 2}) {
        auto copy = make_copy(10 * id);
        copy.sale = SaleId{id};
        warm(copy);
    }
    run_to_end(gate.begin_fill({SaleId{4}, 1, "ledger"}, 1, 0));
    std::vector<std::pair<SaleId, std::int64_t>> copies;
    for (const auto& copy : run_to_end(gate.open_copies()))
        copies.emplace_back(copy.filling.sale, copy.filling.epoch);
    EXPECT_THAT(copies, ElementsAre(Pair(SaleId{1}, 1), Pair(SaleId{2}, 20), Pair(SaleId{3}, 30)));
}

TEST_P(StockGateContract, SaysOfACopyHowManyClaimsAreOpen) {
    const auto claims = [&] {
        const auto copy = run_to_end(gate.open_copy(SaleId{1}));
        EXPECT_EQ(run_to_end(gate.open_copies()).front().claims, copy->claims);
        return copy->claims;
    };
    EXPECT_EQ(claims(), 0);
    claim(make_ticket(7));
    claim(make_ticket(8));
    EXPECT_EQ(claims(), 2);
    settle(make_ticket(7));
    EXPECT_EQ(claims(), 1);
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
    apply({row(1, 1)});
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
                                                     }},
                                         GateAdapter{"model_of_redis",
                                                     []() -> std::unique_ptr<GateUnderTest> {
                                                         return std::make_unique<ModelOfRedis>();
                                                     }},
                                         GateAdapter{"redis",
                                                     []() -> std::unique_ptr<GateUnderTest> {
                                                         return std::make_unique<InRedis>();
                                                     }}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sluice::contract
