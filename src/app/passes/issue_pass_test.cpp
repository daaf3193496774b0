#include "app/passes/issue_pass.hpp"

#include <gtest/gtest.h>

#include "app/passes/local_entry_desk.hpp"
#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/pass_keys.hpp"
#include "support/scripted_lists.hpp"
#include "support/scripted_ports.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using Limit = IssuePass::Limit;

class CountedLimits final : public EntryLimits {
  public:
    bool answers = true;
    bool returns = true;
    int wrong_answers_noted = 0;
    int right_answers_noted = 0;
    int pictures = 10'000;  // that they may still see
    BoundedClient from;
    int returns_noted = 0;

    bool may_answer() const override { return answers; }
    void note_wrong_answer() override { ++wrong_answers_noted; }
    void note_right_answer() override { ++right_answers_noted; }
    bool may_see_picture() const override { return pictures > 0; }
    bool count_picture() override { return pictures-- > 0; }
    void give_picture_back() override { ++pictures; }
    bool may_return() const override { return returns; }
    BoundedClient client() const override { return from; }
    void note_return() override { ++returns_noted; }
};

class IssuePassTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::EmptyCatalogLedger catalog_ledger;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedOrders orders;
    const PassKeyRing pass_keys{{testing_support::pass_key(1)}};
    const Passes passes{pass_keys};
    Catalog catalog{catalog_ledger};
    LocalEntryDesk desk{passes, random, clock};
    ChallengeDesk challenges{WorkChallenges::Key{4}, [] { return 0.0; }, random, clock, {}};
    NetworkHolders holders{orders, clock};
    testing_support::ScriptedLists list;
    ListedBuyers listed{list, {}, clock};
    IssuePass issue_pass{challenges, desk, catalog, gate, orders, holders, listed, clock};
    CountedLimits limits;
    Sale sale;
    Caller buyer;

    void SetUp() override {
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        sale.id = SaleId{1};
        sale.item_id = item.id;
        sale.starts_at = clock.now();
        sale.ends_at = clock.now() + 24h;
        sale.stock = {.total = 5, .left = 5, .held = 0, .sold = 0};
        sale.limit_per_buyer = 2;
        sale.gate_factor = 2;
        sale.challenge = Challenge::none;
        sale.hold_seconds = 600;
        sale.unpaid_limit = 2;
        catalog.put(sale);
        buyer.id = UserId{7};
    }
    void challenge_with(Challenge kind) {
        sale.challenge = kind;
        sale.version += 1;
        catalog.put(sale);
    }
    std::optional<IssuePass::Issue> at_once(const IssuePass::Shown& shown = {}) {
        return issue_pass.issue_at_once(sale, buyer, shown, limits);
    }
    /// From the challenge to the pass, as requests do it.
    IssuePass::Issue issue(const IssuePass::Shown& shown = {}) {
        if (auto answer = at_once(shown)) return std::move(*answer);
        return run_to_end(issue_pass.issue(catalog.sale(sale.id), buyer, shown, limits));
    }
    IssuePass::Offer offer(std::optional<Challenge> wish = {}) {
        if (auto answer = issue_pass.offer_at_once(sale, buyer.id, wish, limits))
            return std::move(*answer);
        return run_to_end(issue_pass.offer(catalog.sale(sale.id), buyer.id, wish, limits));
    }
    template <class Answer>
    static Refusal refusal(const Answer& answer) {
        return std::get<Refusal>(answer.error());
    }
};

TEST_F(IssuePassTest, NobodyWithoutAPastWaitsForTheLedger) {
    const auto issued = at_once();
    ASSERT_TRUE(issued && *issued);
    EXPECT_TRUE(passes.read((*issued)->pass, buyer.id, sale.id));
    EXPECT_EQ(orders.lookups, 0);
    EXPECT_EQ(limits.returns_noted, 0);
}

TEST_F(IssuePassTest, AStrangerIsRefusedBeforeAChallengeAndAPlaceAndCostsOneQuestion) {
    challenge_with(Challenge::pow);
    sale.audience = Audience::listed;
    sale.version += 1;
    catalog.put(sale);
    for (int i = 0; i < 100; ++i) {
        const auto refused = i % 2 == 0 ? offer().error() : issue().error();
        EXPECT_EQ(std::get<IssuePass::NotListed>(refused).until, std::nullopt);
    }
    EXPECT_EQ(list.questions, 1);
    EXPECT_TRUE(at_once()) << "from memory";
    EXPECT_EQ(desk.places().places(sale.id), 0U);
    EXPECT_EQ(limits.wrong_answers_noted, 0);
}

TEST_F(IssuePassTest, AListedBuyerGetsAPassAndEverybodyDoesFromTheInstantOn) {
    sale.audience = Audience::listed_first;
    sale.listed_until = clock.now() + 10min;
    sale.version += 1;
    catalog.put(sale);
    list.is_named = [](UserId user) { return user == UserId{7}; };
    EXPECT_TRUE(issue());
    buyer.id = UserId{8};
    EXPECT_EQ(std::get<IssuePass::NotListed>(issue().error()).until, sale.listed_until);
    clock.move(10min - 1ms);
    EXPECT_FALSE(issue());
    clock.move(1ms);
    const auto asked = list.questions;
    EXPECT_TRUE(issue());
    EXPECT_EQ(list.questions, asked) << "the list does not matter any more";
}

TEST_F(IssuePassTest, AChangeOfTheListCountsAtOnceAndAListThatIsAwayAdmitsNobody) {
    sale.audience = Audience::listed;
    sale.version += 1;
    catalog.put(sale);
    EXPECT_FALSE(issue());
    list.is_named = [](UserId user) { return user == UserId{7}; };
    EXPECT_FALSE(issue()) << "remembered";
    sale.list_version += 1;
    sale.news_seq += 1;
    catalog.put(sale);
    EXPECT_TRUE(issue());
    sale.list_version += 1;
    sale.news_seq += 1;
    catalog.put(sale);
    list.is_away = true;
    EXPECT_THROW(issue(), Outage);
    EXPECT_FALSE(at_once()) << "nothing is remembered of an outage";
    list.is_away = false;
    EXPECT_TRUE(issue());
}

TEST_F(IssuePassTest, ThereAreSoManyPlacesForEachUnitLeft) {
    gate.seen.left = 1;
    for (buyer.id = UserId{1}; buyer.id.value <= 2; ++buyer.id.value) EXPECT_TRUE(issue());
    const auto refused = issue();
    ASSERT_FALSE(refused);
    EXPECT_EQ(std::get<IssuePass::Wait>(refused.error()).detail, Detail::none);
    buyer.id = UserId{1};
    EXPECT_TRUE(issue()) << "a buyer who has a place may have lost the reply";
}

TEST_F(IssuePassTest, ASaleThatIsNotOpenGivesNeitherChallengeNorPass) {
    challenge_with(Challenge::pow);
    gate.seen.left = 0;
    EXPECT_EQ(refusal(issue()).reason, Reason::sold_out);
    EXPECT_EQ(refusal(offer()).reason, Reason::sold_out);
    clock.move(24h);
    EXPECT_EQ(refusal(issue()).reason, Reason::ended);
    EXPECT_EQ(refusal(offer()).reason, Reason::ended);
}

TEST_F(IssuePassTest, AStandingSaleNamesTheFlashSaleItGivesWayTo) {
    Sale flash = sale;
    flash.id = SaleId{2};
    catalog.put(flash);
    sale.kind = SaleKind::standing;
    const auto refused = refusal(issue());
    EXPECT_EQ(refused.reason, Reason::conflict);
    EXPECT_EQ(refused.detail, Detail::flash_sale_runs);
}

TEST_F(IssuePassTest, AtTheLimitTheBuyerIsToldTheirTicket) {
    gate.seen.units = 2;
    gate.seen.history = true;
    TicketRecord record;
    record.id = {sale.id, Mark{1}};
    orders.known = {record};
    EXPECT_FALSE(at_once());
    EXPECT_EQ(refusal(issue()).reason, Reason::limit_reached);
    EXPECT_EQ(refusal(issue()).ticket, record.id);
    gate.open = TicketId{sale.id, Mark{2}};
    EXPECT_EQ(refusal(issue()).ticket, gate.open) << "the open claim is the later one";
    EXPECT_EQ(refusal(offer()).ticket, gate.open);
}

TEST_F(IssuePassTest, OnlyAPassForABuyerWithAPastCountsAsAReturn) {
    gate.seen.history = true;
    EXPECT_TRUE(issue());
    EXPECT_EQ(limits.returns_noted, 1);
    gate.seen.left = 0;
    EXPECT_FALSE(issue());
    EXPECT_EQ(limits.returns_noted, 1);
    gate.seen.left = 5;
    limits.returns = false;
    EXPECT_EQ(std::get<Limit>(issue().error()), Limit::returns);
    EXPECT_EQ(orders.lookups, 1) << "the ledger is not asked for those who are limited";
    gate.seen.history = false;
    EXPECT_TRUE(issue());
}

TEST_F(IssuePassTest, HoldsLeftUnpaidCostAWait) {
    gate.seen.history = true;
    orders.unpaid = {.count = 2, .latest = clock.now()};
    const auto refused = issue();
    ASSERT_FALSE(refused);
    const auto& wait = std::get<IssuePass::Wait>(refused.error());
    EXPECT_EQ(wait.detail, Detail::left_unpaid);
    EXPECT_EQ(wait.retry_after, 600s);
    challenge_with(Challenge::pow);
    EXPECT_EQ(std::get<IssuePass::Wait>(offer().error()).detail, Detail::left_unpaid);
    challenge_with(Challenge::none);
    clock.move(600s - 1ms);
    EXPECT_EQ(std::get<IssuePass::Wait>(issue().error()).retry_after, 1s);
    clock.move(1ms);
    EXPECT_TRUE(issue());
}

TEST_F(IssuePassTest, EachKindOfChallengeIsOffered) {
    EXPECT_EQ(refusal(offer()).detail, Detail::no_challenge_needed);
    challenge_with(Challenge::pow);
    EXPECT_TRUE(std::holds_alternative<ChallengeDesk::WorkOffer>(*offer()));
    challenge_with(Challenge::math);
    EXPECT_TRUE(std::holds_alternative<ChallengeDesk::FormulaOffer>(*offer()));
    EXPECT_EQ(orders.lookups, 0);
    limits.answers = false;
    EXPECT_EQ(std::get<Limit>(offer().error()), Limit::answers);
}

TEST_F(IssuePassTest, EachPictureIsCountedAndProofsAreNot) {
    challenge_with(Challenge::math);
    limits.pictures = 2;
    EXPECT_TRUE(offer());
    EXPECT_TRUE(offer());
    EXPECT_EQ(std::get<Limit>(offer().error()), Limit::pictures);
    EXPECT_EQ(limits.pictures, 0);
    challenge_with(Challenge::pow);
    EXPECT_TRUE(offer());
    EXPECT_EQ(limits.pictures, 0);
}

TEST_F(IssuePassTest, APictureThatCannotBeDrawnIsNotCounted) {
    ChallengeDesk full{
        WorkChallenges::Key{4}, [] { return 0.0; }, random, clock, {.draw_backlog = 0}};
    IssuePass busy{full, desk, catalog, gate, orders, holders, listed, clock};
    challenge_with(Challenge::math);
    limits.pictures = 2;
    EXPECT_THROW(run_to_end(busy.offer(catalog.sale(sale.id), buyer.id, std::nullopt, limits)),
                 Overload);
    EXPECT_EQ(limits.pictures, 2);
}

TEST_F(IssuePassTest, AWrongAnswerToAFormulaIsCounted) {
    challenge_with(Challenge::math);
    const auto offered = std::get<ChallengeDesk::FormulaOffer>(*offer());
    const IssuePass::Shown wrong{offered.id, "no number"};
    EXPECT_TRUE(std::holds_alternative<IssuePass::ChallengeFailed>(issue(wrong).error()));
    EXPECT_EQ(limits.wrong_answers_noted, 1);
    limits.answers = false;
    EXPECT_EQ(std::get<Limit>(issue(wrong).error()), Limit::answers);
    EXPECT_EQ(limits.wrong_answers_noted, 1);
    challenge_with(Challenge::pow);
    EXPECT_TRUE(std::holds_alternative<IssuePass::ChallengeFailed>(issue(wrong).error()));
    EXPECT_EQ(limits.wrong_answers_noted, 1) << "work cannot be guessed";
}

TEST_F(IssuePassTest, WhatIsMissingIsNamed) {
    challenge_with(Challenge::math);
    const auto refused = refusal(issue());
    EXPECT_EQ(refused.reason, Reason::invalid);
    EXPECT_EQ(refused.errors, (std::vector<FieldError>{{"challenge_id", Rule::missing},
                                                       {"answer", Rule::missing}}));
    EXPECT_EQ(refusal(issue({"some", std::nullopt})).errors,
              (std::vector<FieldError>{{"answer", Rule::missing}}));
    desk.places().issue(buyer, sale.id, 5, clock.now()).value();
    EXPECT_TRUE(issue()) << "a buyer who has a place needs no second challenge";
}

TEST_F(IssuePassTest, WhoCannotSeeMayAskForWorkWhereTheSaleOffersIt) {
    EXPECT_EQ(refusal(offer(Challenge::pow)).detail, Detail::no_challenge_needed);
    challenge_with(Challenge::math);
    const auto refused = refusal(offer(Challenge::pow));
    EXPECT_EQ(refused.reason, Reason::invalid);
    EXPECT_EQ(refused.errors, (std::vector<FieldError>{{"kind", Complaint(Rule::one_of, "math")}}));

    sale.challenge_alternative = Challenge::pow;
    challenge_with(Challenge::math);
    EXPECT_TRUE(std::holds_alternative<ChallengeDesk::FormulaOffer>(*offer()));
    limits.answers = false;
    EXPECT_TRUE(std::holds_alternative<ChallengeDesk::WorkOffer>(*offer(Challenge::pow)))
        << "work cannot be guessed";
    gate.seen.history = true;
    EXPECT_TRUE(std::holds_alternative<ChallengeDesk::WorkOffer>(*offer(Challenge::pow)))
        << "also for a buyer with a past";
}

TEST_F(IssuePassTest, AnAnswerOfAKindThatTheSaleDoesNotOfferFails) {
    challenge_with(Challenge::pow);
    const auto work = std::get<ChallengeDesk::WorkOffer>(*offer());
    challenge_with(Challenge::math);
    EXPECT_TRUE(
        std::holds_alternative<IssuePass::ChallengeFailed>(issue({work.id, "an answer"}).error()));
    EXPECT_EQ(limits.wrong_answers_noted, 0) << "it was no guess at a formula";
}

TEST_F(IssuePassTest, ANetworkThatIsFullWaitsAndIsToldWhy) {
    limits.from = {Address::parse("203.0.113.7").value(), 1};
    EXPECT_TRUE(issue());
    EXPECT_TRUE(issue()) << "whoever is counted comes again";
    buyer.id = UserId{8};
    const auto told = std::get<IssuePass::Wait>(issue().error());
    EXPECT_EQ(told.detail, Detail::network_full);
    EXPECT_GE(told.retry_after, 10s);
    challenge_with(Challenge::math);
    EXPECT_EQ(std::get<IssuePass::Wait>(offer().error()).detail, Detail::network_full)
        << "before a challenge is solved for nothing";
    clock.move(EntryDesk::kLifetime + 10s);
    EXPECT_TRUE(offer()) << "the first let the pass lapse";
    EXPECT_EQ(limits.returns_noted, 0) << "nobody has claimed here before";
    gate.seen.history = true;
    limits.returns = false;
    EXPECT_EQ(std::get<Limit>(issue().error()), Limit::returns);
}

TEST_F(IssuePassTest, WhoeverGetsNoPassIsNotCountedInTheirNetwork) {
    limits.from = {Address::parse("203.0.113.7").value(), 1};
    challenge_with(Challenge::math);
    const auto offered = std::get<ChallengeDesk::FormulaOffer>(*offer());
    EXPECT_FALSE(issue({offered.id, "no number"}));
    buyer.id = UserId{8};
    EXPECT_TRUE(offer());
}

TEST_F(IssuePassTest, ARightAnswerToAFormulaIsNoted) {
    challenge_with(Challenge::math);
    for (int i = 0; i < 2'000 && limits.right_answers_noted == 0; ++i) {
        const auto offered = std::get<ChallengeDesk::FormulaOffer>(*offer());
        static_cast<void>(issue({offered.id, "17"}));
    }
    EXPECT_EQ(limits.right_answers_noted, 1) << "one formula in sixty comes to 17";
}

}  // namespace
}  // namespace sluice
