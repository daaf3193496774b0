#include "workers/hot_copy_keeper.hpp"

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_ports.hpp"
#include "workers/hot_copy_difference.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using State = HotCopyFinding::State;

constexpr SaleId kSale{1};

class HotCopyKeeperTest : public testing::Test {
  protected:
    milliseconds round() {
        const auto pause = run_to_end(keeper.look_after_copies());
        clock.move(seconds{1});
        return pause;
    }

    /// In the ledger and shown, with 5 units left, one of them held by buyer 8.
    void show(SaleId id, bool has_copy) {
        ledger.copies[id] = {.filling = {id, 1, "ledger"},
                             .left = 5,
                             .seq = 0,
                             .holdings = {{UserId{8}, 1}, {UserId{9}, 0}}};
        Sale sale;
        sale.id = id;
        sale.starts_at = clock.now();
        shown.push_back(sale);
        if (has_copy) gate.held[id] = {.epoch = 1, .left = 5, .holdings = {{UserId{8}, 1}}};
    }
    /// As the news of the ledger does.
    void show_epochs() {
        for (auto& sale : shown) sale.epoch = ledger.copies[sale.id].filling.epoch;
    }
    HotCopyFinding finding() const { return keeper.finding(kSale); }

    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders ledger;
    testing_support::ManualClock clock;
    Log log{Log::Level::error, Log::Format::text};
    std::vector<Sale> shown;
    HotOutbox outbox{gate, ledger, log};
    HotCopyKeeper keeper{gate,
                         ledger,
                         outbox,
                         [this](const auto& each) {
                             for (const auto& sale : shown) each(sale, sale.hot_seq);
                         },
                         clock,
                         log};
};

TEST_F(HotCopyKeeperTest, FillsWhatIsColdUnderANewEpoch) {
    show(kSale, false);
    const auto now = to_millis(clock.now());
    EXPECT_EQ(round(), HotCopyKeeper::kPause);
    ASSERT_TRUE(gate.held.contains(kSale));
    EXPECT_EQ(gate.held[kSale].epoch, now + 1);
    EXPECT_EQ(gate.held[kSale].left, 5);
    EXPECT_EQ(keeper.cold(), 0U);
    EXPECT_EQ(finding().state, State::warm);
    show_epochs();
    gate.calls.clear();
    round();
    EXPECT_THAT(gate.calls, IsEmpty()) << "it is warm now";
}

TEST_F(HotCopyKeeperTest, ACopyOfAnotherEpochThanIsShownIsNone) {
    show(kSale, true);
    shown[0].epoch = ledger.copies[kSale].filling.epoch = 7;
    round();
    EXPECT_GT(gate.held[kSale].epoch, 7);
}

TEST_F(HotCopyKeeperTest, WhatAnotherNodeFillsIsLeftToIt) {
    show(kSale, false);
    gate.another_fills = true;
    round();
    EXPECT_FALSE(gate.held.contains(kSale));
    EXPECT_EQ(ledger.copies[kSale].filling.epoch, 1) << "no epoch is begun for nothing";
    gate.another_fills = false;
    round();
    EXPECT_TRUE(gate.held.contains(kSale));
}

TEST_F(HotCopyKeeperTest, ACopyWhoseSaleIsNotShownHereYetIsKeptForAWhile) {
    gate.held[kSale] = {.epoch = 1, .left = 5, .holdings = {}};
    for (int i = 0; i < HotCopyKeeper::kRoundsUnknown; ++i) round();
    EXPECT_TRUE(gate.held.contains(kSale)) << "another node may have made the sale";
    round();
    EXPECT_FALSE(gate.held.contains(kSale));
}

TEST_F(HotCopyKeeperTest, TermsThatACopyLacksAreToldByTheNextRound) {
    show(kSale, true);
    shown[0].version = 3;
    shown[0].paused = true;
    round();
    EXPECT_THAT(gate.told, IsEmpty()) << "this gate keeps none";
    gate.terms_version = 2;
    round();
    ASSERT_EQ(gate.told.size(), 1U);
    EXPECT_EQ(gate.told[0].first, kSale);
    EXPECT_EQ(gate.told[0].second.version, 3);
    EXPECT_TRUE(gate.told[0].second.is_paused);
    gate.terms_version = 3;
    round();
    EXPECT_EQ(gate.told.size(), 1U);
}

TEST_F(HotCopyKeeperTest, ANewCopyIsToldItsTermsAtOnce) {
    show(kSale, false);
    shown[0].version = 3;
    shown[0].paused = true;
    round();
    ASSERT_EQ(gate.told.size(), 1U) << "not in the next round";
    EXPECT_EQ(gate.told[0].first, kSale);
    EXPECT_TRUE(gate.told[0].second.is_paused);
}

TEST_F(HotCopyKeeperTest, AnEndByAnOperatorNeedsNoClock) {
    show(kSale, true);
    shown[0].ended_at = clock.now();
    run_to_end(keeper.tell_terms(shown[0]));
    ASSERT_EQ(gate.told.size(), 1U);
    EXPECT_EQ(gate.told[0].second.ends_at, Timestamp{});
    gate.is_away = true;
    EXPECT_NO_THROW(run_to_end(keeper.tell_terms(shown[0]))) << "the change itself is committed";
}

TEST_F(HotCopyKeeperTest, ACopyOfAnotherLedgerIsFilledAnewThoughItsEpochIsTheSame) {
    show(kSale, true);
    round();
    EXPECT_EQ(gate.held[kSale].epoch, 1);
    ledger.ledger_name = "restored";
    round();
    EXPECT_GT(gate.held[kSale].epoch, 1);
}

TEST_F(HotCopyKeeperTest, WithoutTheLedgerNoCopyIsOfAnotherOne) {
    show(kSale, true);
    ledger.away = true;
    EXPECT_THROW(round(), Outage);
    EXPECT_EQ(keeper.cold(), 0U);
    EXPECT_EQ(gate.held[kSale].epoch, 1);
}

TEST_F(HotCopyKeeperTest, TheNextEpochIsAboveThatOfACopyThatIsClosed) {
    show(kSale, false);
    gate.closed_epoch = to_millis(clock.now()) + 5'000;
    round();
    EXPECT_EQ(gate.held[kSale].epoch, gate.closed_epoch + 1);
}

TEST_F(HotCopyKeeperTest, RowsThatNobodyAppliedAreAppliedByTheNextRound) {
    show(kSale, true);
    ledger.outbox[kSale] = {{.seq = 1, .delta_left = 1, .buyer = {}, .delta_units = 0}};
    round();
    EXPECT_THAT(gate.applied, IsEmpty()) << "the sale does not show that there are any";
    shown[0].hot_seq = 1;
    round();
    EXPECT_EQ(gate.applied, ledger.outbox[kSale]);
    round();
    EXPECT_EQ(gate.applied.size(), 1U);
}

TEST_F(HotCopyKeeperTest, ACopyThatIsUnderSuspicionIsFilledAnew) {
    show(kSale, true);
    keeper.suspect(kSale);
    round();
    EXPECT_GT(gate.held[kSale].epoch, 1);
    const auto epoch = gate.held[kSale].epoch;
    show_epochs();
    round();
    EXPECT_EQ(gate.held[kSale].epoch, epoch) << "once";
}

TEST_F(HotCopyKeeperTest, FillsInChunks) {
    show(kSale, false);
    auto& holdings = ledger.copies[kSale].holdings;
    holdings.clear();
    for (std::size_t i = 1; i <= HotCopyKeeper::kChunk * 2 + 1; ++i)
        holdings.emplace_back(UserId{static_cast<std::int64_t>(i)}, 1);
    round();
    EXPECT_EQ(gate.held[kSale].holdings.size(), holdings.size());
}

TEST_F(HotCopyKeeperTest, ASaleThatStaysColdIsCountedAndAfterAWhileComplainedOf) {
    show(kSale, false);
    ledger.away = true;
    for (int i = 0; i < 6; ++i) {
        EXPECT_THAT(keeper.complaints(), IsEmpty()) << i;
        EXPECT_THROW(round(), Outage);
        clock.move(seconds{1});
        EXPECT_EQ(keeper.cold(), 1U);
    }
    EXPECT_EQ(keeper.complaints(),
              (std::vector<Notice>{{NoticeRule::sales_without_copy, 1, kSale.text()}}));
    EXPECT_EQ(finding().state, State::cold);
    ledger.away = false;
    round();
    EXPECT_EQ(keeper.cold(), 0U);
    EXPECT_THAT(keeper.complaints(), IsEmpty());
}

TEST_F(HotCopyKeeperTest, ASaleThatIsPausedOrHasNotBegunIsFilledButNoReasonForAlarm) {
    show(kSale, false);
    show(SaleId{2}, false);
    shown[0].paused = true;
    shown[1].starts_at = clock.now() + std::chrono::hours{1};
    gate.refuses_copies = true;
    for (int i = 0; i < 10; ++i) round();
    EXPECT_EQ(keeper.cold(), 2U);
    EXPECT_THAT(keeper.complaints(), IsEmpty());
}

TEST_F(HotCopyKeeperTest, FillsABoundedNumberInARoundAndGoesOnAtOnce) {
    for (std::int64_t id = 1; id <= 100; ++id) show(SaleId{id}, false);
    for (std::size_t i = 0; i < 99; ++i) shown[i].paused = true;
    EXPECT_EQ(round(), milliseconds{0});
    EXPECT_EQ(gate.held.size(), HotCopyKeeper::kMostFilled);
    EXPECT_TRUE(gate.held.contains(SaleId{100})) << "what should sell comes first";
    show_epochs();
    EXPECT_EQ(round(), HotCopyKeeper::kPause);
    EXPECT_EQ(gate.held.size(), 100U);
}

TEST_F(HotCopyKeeperTest, DropsWhatEndedLongEnoughAgoOnItsSecondLook) {
    show(kSale, true);
    shown[0].ends_at = clock.now() + milliseconds{1} - HotCopyKeeper::kKeptAfterEnd;
    round();
    EXPECT_TRUE(gate.held.contains(kSale)) << "one millisecond early";
    round();
    EXPECT_TRUE(gate.held.contains(kSale)) << "it may have been made this instant";
    round();
    EXPECT_TRUE(gate.held.empty());
    round();
    EXPECT_EQ(keeper.copies(), 0U);
    EXPECT_EQ(finding().state, State::none);
    EXPECT_TRUE(gate.held.empty()) << "a sale that is over is not filled";
}

TEST_F(HotCopyKeeperTest, KeepsWhatHasOpenClaims) {
    show(kSale, true);
    shown[0].ended_at = clock.now() - std::chrono::hours{1};
    gate.held[kSale].open = 1;
    for (int i = 0; i < 5; ++i) round();
    EXPECT_TRUE(gate.held.contains(kSale));
    gate.held[kSale].open = 0;
    round();
    EXPECT_TRUE(gate.held.empty());
}

TEST_F(HotCopyKeeperTest, ASaleWhoseEndWasMovedIsFilledAgain) {
    show(kSale, false);
    shown[0].ends_at = clock.now() - std::chrono::hours{1};
    round();
    EXPECT_TRUE(gate.held.empty());
    shown[0].ends_at = clock.now() + std::chrono::hours{1};
    round();
    EXPECT_TRUE(gate.held.contains(kSale));
}

TEST_F(HotCopyKeeperTest, FindsThatTheyAgree) {
    show(kSale, true);
    const auto now = clock.now();
    round();
    EXPECT_EQ(finding().compared_at, now);
    EXPECT_EQ(keeper.drifts(), 0U);
}

TEST_F(HotCopyKeeperTest, ACopyWithOpenClaimsIsNotRead) {
    show(kSale, true);
    gate.held[kSale].open = 1;
    round();
    EXPECT_EQ(gate.snapshots, 0);
    gate.held[kSale].open = 0;
    round();
    EXPECT_EQ(gate.snapshots, 1);
}

TEST_F(HotCopyKeeperTest, DriftThatStaysForTwoLooksIsCountedAndHealed) {
    show(kSale, true);
    ledger.copies[kSale].left = 4;
    round();
    EXPECT_EQ(keeper.drifts(), 0U) << "the move may be on its way";
    round();
    EXPECT_EQ(keeper.drifts(), 1U);
    EXPECT_EQ(keeper.drifting(), 0U) << "it was healed at once";
    EXPECT_EQ(gate.held[kSale].left, 4);
    EXPECT_GT(gate.held[kSale].epoch, 1);
    ASSERT_TRUE(finding().drift);
    EXPECT_EQ(text_of(finding().drift->differences), "left is 5, in the ledger 4");
    EXPECT_EQ(finding().drifts, 1U);
    show_epochs();
    round();
    round();
    EXPECT_EQ(keeper.drifts(), 1U);
}

TEST_F(HotCopyKeeperTest, WhatMovesBetweenTwoLooksIsNoDrift) {
    show(kSale, true);
    ledger.copies[kSale].left = 4;
    round();
    ++gate.held[kSale].changes;
    round();
    ledger.copies[kSale].left = 3;
    round();
    EXPECT_EQ(keeper.drifts(), 0U);
    gate.held[kSale].open = 1;
    round();
    gate.held[kSale].open = 0;
    round();
    EXPECT_EQ(keeper.drifts(), 0U) << "a claim was open: the looks begin anew";
    round();
    EXPECT_EQ(keeper.drifts(), 1U);
}

TEST_F(HotCopyKeeperTest, DriftThatCannotBeHealedIsOneDriftAndLasts) {
    show(kSale, true);
    ledger.copies[kSale].holdings = {{UserId{8}, 2}};
    gate.refuses_copies = true;
    round();
    round();
    EXPECT_EQ(keeper.drifting(), 1U);
    EXPECT_EQ(finding().state, State::drifting);
    EXPECT_EQ(text_of(finding().drift->differences), "buyer 8 is 1, in the ledger 2");
    gate.refuses_copies = false;
    show_epochs();
    round();
    show_epochs();
    round();
    EXPECT_EQ(keeper.drifting(), 0U);
    EXPECT_EQ(keeper.drifts(), 1U);
}

TEST_F(HotCopyKeeperTest, ComparesAFewAtATimeAndAllInTurn) {
    for (std::int64_t id = 1; id <= 40; ++id) show(SaleId{id}, true);
    round();
    EXPECT_EQ(ledger.compared.size(), HotCopyKeeper::kMostCompared);
    round();
    round();
    std::ranges::sort(ledger.compared);
    const auto end = std::ranges::unique(ledger.compared).begin();
    EXPECT_EQ(end - ledger.compared.begin(), 40);
}

TEST(HotCopyDifference, NamesAFewAndCountsTheRest) {
    const StockGate::Snapshot hot{
        .epoch = 1, .left = 5, .holdings = {{UserId{1}, 1}, {UserId{2}, 1}, {UserId{3}, 1}}};
    OrderLedger::HotCopy ledger{.filling = {kSale, 1, "ledger"},
                                .left = 5,
                                .seq = 0,
                                .holdings = {{UserId{1}, 1}, {UserId{2}, 1}, {UserId{3}, 1}}};
    EXPECT_THAT(find_differences(hot, ledger), IsEmpty());
    ledger.holdings.emplace_back(UserId{4}, 0);
    EXPECT_THAT(find_differences(hot, ledger), IsEmpty()) << "who holds nothing is only history";
    ledger.holdings = {{UserId{2}, 2}, {UserId{3}, 1}};
    ledger.filling.epoch = 2;
    ledger.left = 6;
    EXPECT_EQ(text_of(find_differences(hot, ledger)),
              "epoch is 1, in the ledger 2; left is 5, in the ledger 6; buyer 2 is 1, in the "
              "ledger 2; and 1 more");
}

}  // namespace
}  // namespace sluice
