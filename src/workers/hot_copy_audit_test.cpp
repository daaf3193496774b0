#include "workers/hot_copy_audit.hpp"

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using State = HotCopyVerdict::State;

constexpr SaleId kSale{1};
constexpr UserId kHolder{8}, kNewcomer{9};

Ticket claim_of(unsigned char number, UserId buyer, std::int64_t quantity) {
    Ticket ticket;
    ticket.id = {kSale, Mark{number}};
    ticket.buyer = buyer;
    ticket.quantity = quantity;
    return ticket;
}

/// Five units are left, one is held, on both sides.
class HotCopyAuditTest : public testing::Test {
  protected:
    HotCopyAuditTest() {
        ledger.copies[kSale] = {.filling = {kSale, 1, "ledger"},
                                .left = 5,
                                .seq = 0,
                                .holdings = {{kHolder, 1}, {kNewcomer, 0}}};
        gate.held[kSale] = {.epoch = 1, .left = 5, .holdings = {{kHolder, 1}}};
    }

    /// As the copy notes it: units are taken, nothing is in the ledger.
    void claim(unsigned char number, std::int64_t quantity) {
        auto& hot = gate.held[kSale];
        claims.push_back(claim_of(number, kNewcomer, quantity));
        hot.left -= quantity;
        hot.open += quantity;
        hot.holdings.emplace_back(kNewcomer, quantity);
    }
    /// It is still open in the copy.
    void commit(const Ticket& claimed) {
        auto& copy = ledger.copies[kSale];
        copy.left -= claimed.quantity;
        copy.holdings[1].second += claimed.quantity;
        TicketRecord record;
        record.id = claimed.id;
        record.state = TicketState::committed;
        ledger.journal.push_back(record);
    }
    /// The holder's unit is back in the ledger.
    void give_back(std::int64_t seq) {
        auto& copy = ledger.copies[kSale];
        copy.left += 1;
        copy.seq = seq;
        copy.holdings[0].second -= 1;
        ledger.outbox[kSale].push_back(
            {.seq = seq, .delta_left = 1, .buyer = kHolder, .delta_units = -1});
    }

    HotCopyVerdict look() { return run_to_end(audit.look(kSale)); }

    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders ledger;
    std::vector<Ticket> claims;
    bool sells = false;  // each look finds another state
    std::string ledger_name = "ledger";
    HotCopyAudit audit{gate,
                       [this](SaleId sale) -> Task<std::optional<OpenClaims>> {
                           if (!gate.held.contains(sale)) co_return std::nullopt;
                           auto& hot = gate.held[sale];
                           if (sells) ++hot.changes;
                           co_return OpenClaims{.epoch = hot.epoch,
                                                .left = hot.left,
                                                .applied = hot.applied,
                                                .ledger = ledger_name,
                                                .claims = claims};
                       },
                       ledger};
};

TEST_F(HotCopyAuditTest, WhatIsEqualAgrees) {
    EXPECT_EQ(look().state, State::agrees);
    EXPECT_THAT(look().detail, IsEmpty());
}

TEST_F(HotCopyAuditTest, ACopyThatIsNotThereHeals) {
    gate.held.clear();
    EXPECT_EQ(look().state, State::missing);
    EXPECT_TRUE(look().heals_by_itself());
}

TEST_F(HotCopyAuditTest, ACopyOfAnotherEpochOrLedgerHeals) {
    ledger.copies[kSale].filling.epoch = 7;
    EXPECT_EQ(look().state, State::other_epoch);
    EXPECT_THAT(look().detail, HasSubstr("epoch 1, the ledger of 7"));
    EXPECT_TRUE(look().heals_by_itself());
    ledger_name = "former";
    EXPECT_EQ(look().state, State::other_ledger);
    ledger.copies.clear();
    EXPECT_THAT(look().detail, HasSubstr("no such sale"));
}

TEST_F(HotCopyAuditTest, OpenClaimsExplainWhatIsMissing) {
    claim(1, 2);
    auto verdict = look();
    EXPECT_EQ(verdict.state, State::under_way) << verdict.detail;
    EXPECT_THAT(verdict.detail, HasSubstr("2 units in open claims"));
    commit(claims[0]);
    verdict = look();
    EXPECT_EQ(verdict.state, State::under_way) << verdict.detail;
    ledger.journal.clear();
    EXPECT_EQ(look().state, State::differs) << "the ledger has fewer than it should";
}

TEST_F(HotCopyAuditTest, RowsThatAreNotAppliedExplainWhatIsMissing) {
    give_back(1);
    auto verdict = look();
    EXPECT_EQ(verdict.state, State::under_way) << verdict.detail;
    EXPECT_THAT(verdict.detail, HasSubstr("1 row of the hot outbox not applied yet"));
    claim(1, 1);
    verdict = look();
    EXPECT_EQ(verdict.state, State::under_way) << verdict.detail;
    EXPECT_THAT(verdict.detail, testing::AllOf(HasSubstr("1 row "), HasSubstr("1 unit ")));
}

TEST_F(HotCopyAuditTest, RowsThatAreNotKeptAnyMoreAreADifference) {
    give_back(3);
    const auto verdict = look();
    EXPECT_EQ(verdict.state, State::differs);
    EXPECT_THAT(verdict.detail, HasSubstr("no longer kept"));
    gate.held[kSale].applied = 4;
    EXPECT_THAT(look().detail, HasSubstr("has row 4 of the hot outbox, and the ledger ends at 3"));
}

TEST_F(HotCopyAuditTest, ADifferenceThatNothingExplainsIsNamed) {
    gate.held[kSale].left = 6;
    EXPECT_EQ(look().state, State::differs);
    EXPECT_FALSE(look().heals_by_itself());
    EXPECT_EQ(look().detail, "left is 6, in the ledger 5");
    gate.held[kSale].left = 5;
    gate.held[kSale].holdings = {{kHolder, 2}};
    EXPECT_THAT(look().detail, HasSubstr("buyer 8 is 2, in the ledger 1"));
    claim(1, 1);
    EXPECT_THAT(look().detail, HasSubstr("under way is taken into account"));
}

TEST_F(HotCopyAuditTest, WhatSellsTooFastIsJudgedByBounds) {
    sells = true;
    claim(1, 1);
    claim(2, 2);
    commit(claims[0]);
    auto verdict = look();
    EXPECT_EQ(verdict.state, State::under_way);
    EXPECT_THAT(verdict.detail, HasSubstr("between 4 and 5 by the copy, in the ledger 4"));
    gate.held[kSale].left += 2;
    verdict = look();
    EXPECT_EQ(verdict.state, State::differs) << verdict.detail;
    gate.held[kSale].left -= 4;
    verdict = look();
    EXPECT_EQ(verdict.state, State::differs) << verdict.detail;
}

TEST_F(HotCopyAuditTest, BoundsKnowWhichRowsEachSideHas) {
    sells = true;
    give_back(1);
    EXPECT_THAT(look().detail, HasSubstr("between 6 and 6 by the copy, in the ledger 6"));
    // Applied after the ledger was read.
    ledger.copies[kSale].left = 5;
    ledger.copies[kSale].seq = 0;
    LedgerView view{
        .copy = ledger.copies[kSale], .rows = ledger.outbox[kSale], .not_committed = {}};
    const OpenClaims before{.epoch = 1, .left = 5, .applied = 0, .ledger = "ledger", .claims = {}};
    const OpenClaims after{.epoch = 1, .left = 6, .applied = 1, .ledger = "ledger", .claims = {}};
    EXPECT_EQ(judge_while_selling(before, view, after).state, State::under_way);
    view.rows.clear();
    EXPECT_EQ(judge_while_selling(before, view, after).state, State::differs);
}

TEST_F(HotCopyAuditTest, AllAreTheLiveSalesAndThoseThatHaveACopy) {
    const auto verdicts = run_to_end(audit.look_at_all({SaleId{2}}));
    std::vector<SaleId> sales;
    for (const auto& verdict : verdicts) sales.push_back(verdict.sale);
    EXPECT_THAT(sales, ElementsAre(kSale, SaleId{2}));
    EXPECT_EQ(verdicts[1].state, State::missing);
}

}  // namespace
}  // namespace sluice
