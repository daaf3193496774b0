#include "app/purchase/turnstile.hpp"

#include <gtest/gtest.h>

#include "app/catalog/sold_out_flags.hpp"
#include "app/passes/pass_desk.hpp"
#include "support/manual_clock.hpp"
#include "support/pass_keys.hpp"
#include "support/scripted_ports.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

class TurnstileTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::EmptyCatalogLedger catalog_ledger;
    testing_support::ScriptedGate gate;
    const PassKeyRing pass_keys{{testing_support::pass_key(1)}};
    const Passes passes{pass_keys};
    const TicketMarks marks{TicketMarks::Key{2}};
    Catalog catalog{catalog_ledger};
    PassDesk desk{passes, random};
    SoldOutFlags flags{catalog};
    testing_support::ScriptedIntake intake;
    Admission admission{1'024};
    Turnstile turnstile{catalog, gate, passes, marks, admission, intake, clock};
    Sale sale;
    Caller buyer;
    std::string pass;

    void SetUp() override {
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        sale.id = SaleId{1};
        sale.item_id = item.id;
        sale.starts_at = clock.now();
        sale.ends_at = clock.now() + 1h;
        sale.stock = {.total = 5, .left = 5, .held = 0, .sold = 0};
        sale.limit_per_buyer = 2;
        catalog.put(sale);
        buyer.id = UserId{7};
        pass = desk.issue(buyer, sale.id, 5, clock.now())->pass;
    }

    Outcome<Purchase::Attempt> consider(std::int64_t quantity = 1, std::string_view key = "") {
        return turnstile.consider({.sale = sale.id, .pass = pass, .key = key, .quantity = quantity},
                                  buyer);
    }
    std::optional<Reason> refusal(std::int64_t quantity = 1) {
        const auto attempt = consider(quantity);
        return attempt ? std::nullopt : std::optional(attempt.error().reason);
    }
};

TEST_F(TurnstileTest, LetsThroughWhoCanStillWin) {
    const auto attempt = consider(2).value();
    EXPECT_EQ(attempt.ticket.buyer, buyer.id);
    EXPECT_EQ(attempt.ticket.quantity, 2);
    EXPECT_EQ(attempt.ticket.claimed_at, clock.now());
    EXPECT_EQ(attempt.limit, 2);
    EXPECT_FALSE(attempt.maybe_replay || attempt.refusal);
}

TEST_F(TurnstileTest, TheTicketIsOfTheKeyOrElseOfThePass) {
    const auto first = consider().value().ticket.id;
    EXPECT_EQ(consider().value().ticket.id, first);
    EXPECT_NE(consider(2).value().ticket.id, first);
    const auto with_key = consider(1, "a").value().ticket.id;
    EXPECT_NE(with_key, first);
    pass = desk.issue(buyer, sale.id, 5, clock.now())->pass;
    EXPECT_NE(consider().value().ticket.id, first);
    EXPECT_EQ(consider(1, "a").value().ticket.id, with_key);
}

TEST_F(TurnstileTest, RefusesAtTheEdgesOfTheWindow) {
    sale.starts_at = clock.now() + 10s;
    sale.ends_at = clock.now() + 20s;
    sale.version = 2;
    catalog.put(sale);
    clock.move(10s - 1ms);
    EXPECT_EQ(refusal(), Reason::not_started);
    clock.move(1ms);
    EXPECT_EQ(refusal(), std::nullopt);
    clock.move(10s - 1ms);
    EXPECT_EQ(refusal(), std::nullopt);
    clock.move(1ms);
    EXPECT_EQ(refusal(), Reason::ended);
}

TEST_F(TurnstileTest, RefusesAnExpiredPassThatWasNeverUsed) {
    clock.move(PassDesk::kLifetime - 1ms);
    EXPECT_EQ(refusal(), std::nullopt);
    clock.move(1ms);
    EXPECT_EQ(refusal(), Reason::pass_invalid);
}

TEST_F(TurnstileTest, SaysNoInTheOrderOfTheChecks) {
    flags.sold_out(sale.id);
    EXPECT_EQ(refusal(), Reason::sold_out);
    EXPECT_EQ(refusal(3), Reason::invalid) << "more than the sale allows anybody";
    sale.paused = true;
    sale.version = 2;
    catalog.put(sale);
    EXPECT_EQ(refusal(3), Reason::paused);
    pass.back() = pass.back() == 'A' ? 'E' : 'A';
    EXPECT_EQ(refusal(), Reason::pass_invalid);
    sale.id = SaleId{2};
    EXPECT_EQ(refusal(), Reason::not_found);
}

TEST_F(TurnstileTest, TellsThemToComeAgainWhenTheLedgerIsBehindButNotBelowTheBound) {
    intake.waiting = Admission::kLeast - 1;
    EXPECT_EQ(refusal(), std::nullopt);
    intake.waiting = Admission::kLeast;
    EXPECT_EQ(refusal(), Reason::busy);
    flags.sold_out(sale.id);
    EXPECT_EQ(refusal(), Reason::sold_out) << "there is no point in coming again";
    EXPECT_EQ(admission.refused(), 1U);
}

TEST_F(TurnstileTest, WhoHasAPastMayBeRepeatingAndTakesTheRefusalAlong) {
    gate.seen.history = true;
    clock.move(2h);
    const auto attempt = consider().value();
    EXPECT_TRUE(attempt.maybe_replay);
    EXPECT_EQ(attempt.refusal.value().reason, Reason::pass_invalid);
}

TEST_F(TurnstileTest, WithAPastTheLastUnitMayBeTheirOwn) {
    flags.sold_out(sale.id);
    gate.seen.history = true;
    EXPECT_FALSE(consider().value().refusal);
}

TEST_F(TurnstileTest, AtTheLimitTheClaimTellsOfTheTicketNotTheStock) {
    flags.sold_out(sale.id);
    gate.seen.units = 2;
    EXPECT_FALSE(consider().value().refusal);
}

TEST_F(TurnstileTest, WithoutAHotCopyOnlyReplaysAreAnswered) {
    gate.seen = {};
    const auto attempt = consider().value();
    EXPECT_TRUE(attempt.maybe_replay);
    EXPECT_EQ(attempt.refusal.value().reason, Reason::unavailable);
}

TEST_F(TurnstileTest, AStandingSaleGivesWayFromTheStartOfAFlashSaleToItsEnd) {
    sale.kind = SaleKind::standing;
    sale.ends_at.reset();
    sale.version = 2;
    catalog.put(sale);
    Sale flash = sale;
    flash.id = SaleId{2};
    flash.kind = SaleKind::flash;
    flash.starts_at = clock.now() + 1s;
    flash.ends_at = clock.now() + 2s;
    flash.stock = {};
    catalog.put(flash);
    EXPECT_EQ(refusal(), std::nullopt);
    clock.move(999ms);
    EXPECT_EQ(refusal(), std::nullopt);
    clock.move(1ms);
    EXPECT_EQ(refusal(), Reason::conflict) << "sold out as the flash sale is";
    EXPECT_EQ(consider().error().detail, Detail::flash_sale_runs);
    flash.paused = true;
    flash.version = 3;
    catalog.put(flash);
    EXPECT_EQ(refusal(), Reason::conflict);
    clock.move(999ms);
    EXPECT_EQ(refusal(), Reason::conflict);
    gate.seen.history = true;
    EXPECT_TRUE(consider().has_value()) << "replay comes first";
    EXPECT_EQ(consider()->refusal->reason, Reason::conflict);
    clock.move(1ms);
    EXPECT_EQ(refusal(), std::nullopt);
}

TEST_F(TurnstileTest, AFlashSaleOfAnotherItemIsNoReasonToGiveWay) {
    sale.kind = SaleKind::standing;
    sale.version = 2;
    catalog.put(sale);
    Item other;
    other.id = ItemId{2};
    catalog.put(other);
    Sale flash = sale;
    flash.id = SaleId{2};
    flash.item_id = other.id;
    flash.kind = SaleKind::flash;
    catalog.put(flash);
    EXPECT_EQ(refusal(), std::nullopt);
}

}  // namespace
}  // namespace sluice
