#include "app/purchase/purchase.hpp"

#include <gmock/gmock.h>

#include "app/passes/local_entry_desk.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/pass_keys.hpp"
#include "support/scripted_ports.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Fate = OrderIntake::Fate;
using Verdict = StockGate::Verdict;

class PurchaseTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::ScriptedGate gate;
    testing_support::ScriptedIntake intake;
    testing_support::ScriptedOrders ledger;
    const PassKeyRing pass_keys{{testing_support::pass_key(1)}};
    const Passes passes{pass_keys};
    const TicketMarks marks{TicketMarks::Key{2}};
    LocalEntryDesk desk{passes, random, clock};
    Log log{Log::Level::error, Log::Format::text};
    HotOutbox outbox{gate, ledger, log};
    std::vector<SaleId> missed;
    ClaimSettler settler{gate, outbox, [this](SaleId sale_id) { missed.push_back(sale_id); }};
    Purchase purchase{gate, intake, ledger, settler, marks, desk};
    static constexpr SaleId sale{1};
    Caller buyer;
    Mark pass{1};
    bool has_history = false;
    std::optional<Refusal> refusal;  // the turnstile's refusal, unless it is a replay

    void SetUp() override {
        buyer.id = UserId{7};
        desk.places().issue(buyer, sale, 5, clock.now()).value();
        gate.claims = {{.verdict = Verdict::won, .latest = {}}};
    }

    Ticket make_ticket(std::int64_t quantity = 1, std::string_view key = "") const {
        Ticket ticket;
        if (!key.empty()) ticket.key = marks.of_key(sale, buyer.id, key);
        ticket.id = marks.ticket(sale, 1, buyer.id, quantity, pass, ticket.key);
        ticket.buyer = buyer.id;
        ticket.quantity = quantity;
        ticket.pass = pass;
        ticket.claimed_at = clock.now();
        return ticket;
    }
    Outcome<TicketRecord> buy(std::int64_t quantity = 1, std::string_view key = "") {
        const Purchase::Attempt attempt{.ticket = make_ticket(quantity, key),
                                        .limit = 2,
                                        .maybe_replay = has_history,
                                        .refusal = refusal};
        return run_to_end(purchase.carry_out(attempt));
    }
    /// As the wish would be in the journal.
    TicketRecord on_record(TicketState state, std::int64_t quantity = 1,
                           std::string_view key = "") {
        const auto ticket = make_ticket(quantity, key);
        TicketRecord record;
        record.id = ticket.id;
        record.state = state;
        record.quantity = quantity;
        record.pass = ticket.pass;
        record.key = ticket.key;
        if (state == TicketState::committed) record.order = OrderId{9};
        if (state == TicketState::rolled_back) record.reason = Reason::sold_out;
        return record;
    }
    static OrderIntake::Taken taken(Fate fate, const TicketRecord& record, bool fresh = true) {
        return {.fate = fate,
                .own = record,
                .record = record,
                .fresh = fresh,
                .needs_outbox_row = false};
    }
    /// The buyer has been here before, with these tickets.
    void has_past(std::vector<TicketRecord> past) {
        has_history = true;
        ledger.known = std::move(past);
    }
    static std::optional<Reason> reason(const Outcome<TicketRecord>& outcome) {
        if (outcome) return std::nullopt;
        return outcome.error().reason;
    }
};

TEST_F(PurchaseTest, EachVerdictHasItsAnswer) {
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    const struct {
        Verdict verdict;
        std::optional<Reason> reason;
        bool submits;
    } rows[] = {
        {Verdict::won, std::nullopt, true},
        {Verdict::again, std::nullopt, true},
        {Verdict::already, Reason::limit_reached, false},
        {Verdict::done, Reason::unavailable, false},
        {Verdict::sold_out, Reason::sold_out, false},
        {Verdict::closed, Reason::unavailable, false},
        {Verdict::moved, Reason::unavailable, false},
        {Verdict::ended, Reason::ended, false},
        {Verdict::paused, Reason::paused, false},
        {Verdict::not_started, Reason::not_started, false},
        {Verdict::unknown, Reason::unavailable, false},
    };
    for (const auto& row : rows) {
        intake.submitted.clear();
        gate.claims = {{.verdict = row.verdict, .latest = {}}};
        EXPECT_EQ(reason(buy()), row.reason) << static_cast<int>(row.verdict);
        EXPECT_EQ(!intake.submitted.empty(), row.submits) << static_cast<int>(row.verdict);
    }
}

TEST_F(PurchaseTest, EachFateHasItsAnswerAndItsEffectOnTheGate) {
    const auto committed = on_record(TicketState::committed);
    const auto refused = on_record(TicketState::rolled_back);
    const struct {
        const char* name;
        Verdict verdict;
        OrderIntake::Taken taken;
        std::optional<Reason> reason;
        std::vector<std::string> calls;
    } rows[] = {
        {"ordered", Verdict::won, taken(Fate::ordered, committed), {}, {"claim", "settle"}},
        {"ordered, by a claim found there",
         Verdict::again,
         taken(Fate::ordered, committed),
         {},
         {"claim", "settle"}},
        {"ordered by another attempt, which may not know",
         Verdict::won,
         taken(Fate::ordered, committed, false),
         {},
         {"claim", "settle"}},
        {"queued: the writer settles it",
         Verdict::won,
         taken(Fate::queued, on_record(TicketState::prepared)),
         {},
         {"claim"}},
        {"refused",
         Verdict::won,
         taken(Fate::refused, refused),
         Reason::sold_out,
         {"claim", "release"}},
        {"not taken: nobody releases on their own word",
         Verdict::won,
         taken(Fate::not_taken, on_record(TicketState::prepared), false),
         Reason::busy,
         {"claim"}},
        {"unknown: never promise, never release",
         Verdict::won,
         taken(Fate::unknown, on_record(TicketState::prepared), false),
         Reason::unavailable,
         {"claim"}},
    };
    for (const auto& row : rows) {
        gate.calls.clear();
        gate.claims = {{.verdict = row.verdict, .latest = {}}};
        intake.answer = row.taken;
        EXPECT_EQ(reason(buy()), row.reason) << row.name;
        EXPECT_EQ(gate.calls, row.calls) << row.name;
    }
}

TEST_F(PurchaseTest, AClaimFreesThePlaceAtTheDeskAndANoDoesNot) {
    gate.claims = {{.verdict = Verdict::sold_out, .latest = {}}};
    buy();
    EXPECT_EQ(desk.places().places(sale), 1U);
    intake.answer = taken(Fate::unknown, {}, false);
    gate.claims = {{.verdict = Verdict::won, .units = 1, .latest = {}}};
    buy();
    EXPECT_EQ(desk.places().places(sale), 1U) << "another pass on it can still win";
    gate.claims = {{.verdict = Verdict::won, .units = 2, .latest = {}}};
    buy();
    EXPECT_EQ(desk.places().places(sale), 0U);
}

TEST_F(PurchaseTest, WhenTooManyWaitNothingIsClaimed) {
    intake.is_full = true;
    EXPECT_EQ(reason(buy()), Reason::busy);
    EXPECT_THAT(gate.calls, IsEmpty());
    intake.is_full = false;
    gate.claims = {{.verdict = Verdict::sold_out, .latest = {}}};
    buy();
    EXPECT_EQ(intake.backlog(), 0U) << "a place that was not needed is free again";
}

TEST_F(PurchaseTest, ACopyThatDoesNotKnowOfAnOrderIsReported) {
    gate.misses = true;
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    EXPECT_TRUE(buy());
    EXPECT_THAT(missed, ElementsAre(sale));
}

TEST_F(PurchaseTest, WhatTheJournalHasDecidedIsAnsweredAlsoWhenTheHotCopyIsAway) {
    gate.is_away = true;
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    EXPECT_TRUE(buy()) << "the order is committed";
    EXPECT_THAT(gate.calls, ElementsAre("claim", "settle"));

    intake.answer = taken(Fate::refused, on_record(TicketState::rolled_back));
    intake.answer.record.reason = intake.answer.own.reason = Reason::sold_out;
    const auto refused = buy();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::sold_out);
}

TEST_F(PurchaseTest, AnOrderOfAnotherEpochIsAppliedFromTheOutboxBeforeTheAnswer) {
    gate.held[sale] = {.epoch = 9, .left = 5, .holdings = {}};
    ledger.outbox[sale] = {{.seq = 1, .delta_left = -2, .buyer = buyer.id, .delta_units = 2}};
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed, 2));
    intake.answer.needs_outbox_row = true;
    EXPECT_TRUE(buy(2));
    EXPECT_THAT(gate.epochs, ElementsAre(1)) << "it is settled in the epoch of the claim";
    EXPECT_EQ(gate.applied, ledger.outbox[sale]);
}

TEST_F(PurchaseTest, AsksTheGateAgainWithTheSameTicketWhenItHearsNothing) {
    gate.claims = {{.verdict = Verdict::unknown, .latest = {}},
                   {.verdict = Verdict::again, .latest = {}}};
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    EXPECT_TRUE(buy());
    EXPECT_THAT(gate.calls, ElementsAre("claim", "claim", "settle"));
}

TEST_F(PurchaseTest, APassThatBoughtWithAnotherTicketGetsThatOne) {
    auto other = on_record(TicketState::committed, 1, "a");
    intake.answer = taken(Fate::ordered, other, false);
    intake.answer.own = on_record(TicketState::rolled_back);
    intake.answer.own.same_as = other.id;
    const auto outcome = buy();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->id, other.id);
    EXPECT_THAT(gate.calls, ElementsAre("claim", "release")) << "ours was one too many";
}

TEST_F(PurchaseTest, NobodyWithoutAPastIsLookedUp) {
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    EXPECT_TRUE(buy());
    EXPECT_EQ(ledger.lookups, 0);
}

TEST_F(PurchaseTest, AReplayIsFoundByPassOrByKeyWhateverTheStateOfTheSale) {
    const auto by_pass = on_record(TicketState::committed);
    const auto by_key = on_record(TicketState::committed, 1, "a");
    refusal = Refusal{Reason::ended};
    has_past({by_pass});
    EXPECT_EQ(buy().value().id, by_pass.id);
    EXPECT_EQ(buy(2).value().id, by_pass.id) << "a pass buys once, whatever it asks for";
    has_past({by_key});
    EXPECT_EQ(buy(1, "a").value().id, by_key.id);
    EXPECT_EQ(buy().value().id, by_key.id) << "used with a key and sent again without";
    EXPECT_EQ(buy(1, "b").value().id, by_key.id) << "used with a key and sent again with another";
    EXPECT_THAT(gate.calls, IsEmpty());
}

TEST_F(PurchaseTest, AWishThatWaitsForAWriterIsHandedOffAgainWhateverTheStateOfTheSale) {
    has_past({});
    refusal = Refusal{Reason::sold_out};
    gate.claims = {{.verdict = Verdict::again, .latest = {}}};
    intake.answer = taken(Fate::queued, on_record(TicketState::prepared));
    EXPECT_EQ(reason(buy()), Reason::sold_out) << "no claim of this wish is open";

    gate.open = make_ticket().id;
    const auto outcome = buy();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->state, TicketState::prepared);

    gate.is_away = true;
    EXPECT_THROW(buy(), Outage) << "nobody knows whether there was a promise";
}

TEST_F(PurchaseTest, AKeyIsFoundUnderAnotherPass) {
    const auto bought = on_record(TicketState::committed, 1, "a");
    pass = Mark{2};
    has_past({bought});
    EXPECT_EQ(buy(1, "a").value().id, bought.id);
}

TEST_F(PurchaseTest, AKeyWithAnotherQuantityIsAMismatch) {
    has_past({on_record(TicketState::committed, 1, "a")});
    EXPECT_EQ(reason(buy(2, "a")), Reason::idempotency_mismatch);
    EXPECT_EQ(reason(buy(1, "a")), std::nullopt);
}

TEST_F(PurchaseTest, ARefusedAttemptIsAnAnswerAndDoesNotHideTheOneThatBought) {
    const auto refused = on_record(TicketState::rolled_back, 2);
    has_past({refused, on_record(TicketState::committed)});
    EXPECT_TRUE(buy());
    has_past({refused});
    EXPECT_EQ(reason(buy()), Reason::sold_out);
    EXPECT_THAT(gate.calls, IsEmpty());
}

TEST_F(PurchaseTest, ATryThatDecidedNothingIsNoAnswerAndTheNextOneHasATicketOfItsOwn) {
    for (const auto reason : {Reason::busy, Reason::paused, Reason::not_started}) {
        intake.submitted.clear();
        auto first = on_record(TicketState::rolled_back);
        first.reason = reason;
        auto second = first;
        second.id = marks.next_try(first.id);
        has_past({second, first});
        intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
        EXPECT_TRUE(buy());
        ASSERT_EQ(intake.submitted.size(), 1U);
        EXPECT_EQ(intake.submitted[0].id, marks.next_try(second.id));

        second.state = TicketState::committed;
        second.reason.reset();
        second.order = OrderId{9};
        has_past({first, second});
        EXPECT_EQ(buy().value().id, second.id) << "and it is found again";
        EXPECT_EQ(intake.submitted.size(), 1U);
    }
}

TEST_F(PurchaseTest, ATryCaughtByAPauseIsFoundByNeitherPassNorKey) {
    auto caught = on_record(TicketState::rolled_back, 1, "a");
    caught.reason = Reason::paused;
    has_past({caught});
    refusal = Refusal{Reason::paused};
    EXPECT_EQ(reason(buy(1, "a")), Reason::paused) << "still paused: as the gate says";
    EXPECT_THAT(intake.submitted, IsEmpty());

    refusal.reset();
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    EXPECT_TRUE(buy(1, "a"));
    EXPECT_TRUE(buy(2, "a")) << "what was refused fixes no quantity";
    EXPECT_TRUE(buy());
    pass = Mark{2};
    EXPECT_TRUE(buy(1, "a")) << "another pass";
    EXPECT_EQ(intake.submitted.size(), 4U);
}

TEST_F(PurchaseTest, ADoneClaimThatDecidedNothingLeadsToTheNextTryInTheSameRequest) {
    auto caught = on_record(TicketState::rolled_back);
    caught.reason = Reason::paused;
    ledger.known = {caught};
    gate.claims = {{.verdict = Verdict::done, .latest = {}},
                   {.verdict = Verdict::won, .latest = {}}};
    intake.answer = taken(Fate::ordered, on_record(TicketState::committed));
    EXPECT_TRUE(buy());
    ASSERT_EQ(intake.submitted.size(), 1U);
    EXPECT_EQ(intake.submitted[0].id, marks.next_try(caught.id));

    gate.calls.clear();
    gate.claims = {{.verdict = Verdict::done, .latest = {}}};
    EXPECT_EQ(reason(buy()), Reason::unavailable) << "a gate that is wrong all along";
    EXPECT_LE(gate.calls.size(), 3U);
}

TEST_F(PurchaseTest, UnitsOfAClaimThatIsRolledBackOnRecordAreNotTheBuyersLimit) {
    auto caught = on_record(TicketState::rolled_back);
    caught.reason = Reason::paused;
    has_past({caught});
    gate.claims = {{.verdict = Verdict::already, .latest = caught.id}};
    EXPECT_EQ(reason(buy()), Reason::busy) << "they return in a moment";
}

TEST_F(PurchaseTest, OneTooManyHearsOfTheTicketTheyHave) {
    const auto bought = on_record(TicketState::committed, 2);
    pass = Mark{2};
    has_past({bought});
    gate.claims = {{.verdict = Verdict::already, .latest = {}}};
    const auto outcome = buy();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason::limit_reached);
    EXPECT_EQ(outcome.error().ticket, bought.id);
}

TEST_F(PurchaseTest, WhereNobodyKnowsTheOutcomeNobodySaysThatNothingWasTaken) {
    gate.claims = {{.verdict = Verdict::won, .latest = {}}};
    intake.answer = taken(Fate::unknown, on_record(TicketState::prepared), false);
    const auto outcome = buy();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().detail, Detail::outcome_unknown);
}

TEST_F(PurchaseTest, AnOutageOfTheLedgerPromisesNothing) {
    has_past({});
    ledger.away = true;
    EXPECT_THROW(buy(), Outage);
    EXPECT_THAT(gate.calls, IsEmpty());
}

}  // namespace
}  // namespace sluice
