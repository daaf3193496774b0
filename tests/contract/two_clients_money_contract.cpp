// Payments and the sandbox, for two clients at once.

#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/two_clients.hpp"
#include "domain/sandbox_rules.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// Orders of the sale cost 99 a unit and are held for 60 s.
class TwoClientsMoneyContract : public contract::TwoClientsContract {
  protected:
    PaymentLedger& payments = ledgers->all().payments();
    PaymentLedger& others = other.ledgers.payments();

    Timestamp now() { return ledgers->clock().now(); }

    Payment make_draft(const Order& order) {
        Payment draft;
        draft.id = PaymentId{++ids};
        draft.order = order.id;
        draft.provider = "bank";
        draft.created_at = now();
        return draft;
    }
    Payment begin_payment(const Order& order) {
        return run_to_end(payments.begin(make_draft(order), order.buyer)).value();
    }
    /// Each event has a charge id of its own, as each process makes one.
    PaymentEvent money(const Payment& payment, std::string event, std::string charge) {
        PaymentEvent made;
        made.provider = "bank";
        made.id = std::move(event);
        made.type = PaymentEvent::Type::payment_succeeded;
        made.payment = payment.id;
        made.charge = {ChargeId{++ids}, std::move(charge), 99, "CNY"};
        return made;
    }
    /// The outcomes of two events that are reported at once, each to another client.
    std::vector<EventOutcome> take_both(const PaymentEvent& first, const PaymentEvent& second) {
        const auto [one, two] = at_once(payments.take(first, now()), others.take(second, now()));
        EXPECT_TRUE(one && two);
        return {one->outcome, two->outcome};
    }
    PaymentLedger::History history(const Order& order) {
        return run_to_end(payments.history(order.id)).value();
    }
    std::vector<PaymentLedger::OwedRefund> owed() {
        return run_to_end(payments.owed_refunds("bank", now(), 100)).due;
    }
    std::size_t captures(const Order& order) {
        std::size_t count = 0;
        for (const auto& each : history(order).money) count += each.captures ? 1 : 0;
        return count;
    }
    void expect_sold(std::int64_t units) {
        EXPECT_EQ(stored_sale().stock.sold, units);
        expect_books_in_order();
    }

    std::int64_t ids = 5'000;
};

TEST_P(TwoClientsMoneyContract, AnOrderHasOneOpenPayment) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto order = buy(buyer);
        const auto [one, two] = at_once(payments.begin(make_draft(order), order.buyer),
                                        others.begin(make_draft(order), order.buyer));
        ASSERT_TRUE(one && two);
        EXPECT_EQ(one->id, two->id);
        EXPECT_THAT(history(order).payments, SizeIs(1));
    }
}

TEST_P(TwoClientsMoneyContract, OneBillIsKept) {
    const auto payment = begin_payment(buy(1));
    const auto receipt = make_receipt("key", 1, "first"), again = make_receipt("key", 1, "second");
    const Bill bill{"mine", "/mine"}, other_bill{"theirs", "/theirs"};
    const auto [one, two] = at_once(payments.keep_bill(payment.id, bill, receipt),
                                    others.keep_bill(payment.id, other_bill, again));
    ASSERT_TRUE(one && two);
    ASSERT_NE(one->first_answer.has_value(), two->first_answer.has_value());
    const bool mine_was_first = two->first_answer.has_value();
    EXPECT_EQ(mine_was_first ? two->first_answer : one->first_answer,
              mine_was_first ? "first" : "second");
    const auto kept = history(*run_to_end(orders.order(payment.order, UserId{1}))).payments.at(0);
    EXPECT_EQ(kept.bill->ref, mine_was_first ? "mine" : "theirs");
}

TEST_P(TwoClientsMoneyContract, OneEventThatBothHearCountsOnce) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto order = buy(buyer);
        const auto payment = begin_payment(order);
        const auto name = std::to_string(buyer);
        EXPECT_THAT(take_both(money(payment, "event " + name, "charge " + name),
                              money(payment, "event " + name, "charge " + name)),
                    UnorderedElementsAre(EventOutcome::captured, EventOutcome::repeated));
        EXPECT_THAT(history(order).money, SizeIs(1));
        EXPECT_THAT(history(order).events, SizeIs(1));
    }
    EXPECT_THAT(owed(), IsEmpty());
    expect_sold(5);
}

TEST_P(TwoClientsMoneyContract, OneChargeInTwoEventsIsCapturedOnce) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto order = buy(buyer);
        const auto payment = begin_payment(order);
        const auto name = std::to_string(buyer);
        EXPECT_THAT(take_both(money(payment, "first " + name, "charge " + name),
                              money(payment, "second " + name, "charge " + name)),
                    UnorderedElementsAre(EventOutcome::captured, EventOutcome::noted));
        EXPECT_THAT(history(order).money, SizeIs(1));
        EXPECT_EQ(captures(order), 1U);
    }
    EXPECT_THAT(owed(), IsEmpty());
    expect_sold(5);
}

TEST_P(TwoClientsMoneyContract, OfTwoChargesOneCapturesAndTheOtherIsOwedBack) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto order = buy(buyer);
        const auto payment = begin_payment(order);
        const auto name = std::to_string(buyer);
        EXPECT_THAT(take_both(money(payment, "first " + name, "one " + name),
                              money(payment, "second " + name, "two " + name)),
                    UnorderedElementsAre(EventOutcome::captured, EventOutcome::refunded));
        EXPECT_EQ(captures(order), 1U);
        EXPECT_THAT(owed(), SizeIs(static_cast<std::size_t>(buyer)));
    }
    expect_sold(5);
}

TEST_P(TwoClientsMoneyContract, MoneyAndExpiryNeverBothWin) {
    for (std::int64_t buyer = 1; buyer <= 5; ++buyer) {
        const auto order = buy(buyer);
        const auto event = money(begin_payment(order), "event " + std::to_string(buyer),
                                 "charge " + std::to_string(buyer));
        const auto debts = owed().size();
        ledgers->clock().move(seconds{60} - milliseconds{1});
        const auto early = now();
        ledgers->clock().move(milliseconds{1});
        const auto [taken, expired] =
            at_once(payments.take(event, early), other.ledgers.orders().expire(now(), 100, {}));
        ASSERT_TRUE(taken);
        const bool is_paid = taken->outcome == EventOutcome::captured;
        EXPECT_EQ(history(order).order.state, is_paid ? OrderState::paid : OrderState::expired);
        EXPECT_EQ(expired.orders, is_paid ? 0U : 1U);
        EXPECT_THAT(owed(), SizeIs(debts + (is_paid ? 0 : 1))) << "late money goes back";
        expect_books_in_order();
    }
}

TEST_P(TwoClientsMoneyContract, AnOrderIsRefundedOnce) {
    const auto order = buy(1);
    const auto payment = begin_payment(order);
    ASSERT_TRUE(run_to_end(payments.take(money(payment, "event", "charge"), now())));
    const auto deeds = deeds_written();
    const auto [one, two] = at_once(payments.refund(order.id, make_deed(7'001)),
                                    others.refund(order.id, make_deed(7'002)));
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->fresh, two->fresh);
    EXPECT_EQ(deeds_written(), deeds + 1);
    EXPECT_EQ(stored_sale().stock.left, 10);
    EXPECT_THAT(outbox(), SizeIs(1));
    expect_sold(0);
}

TEST_P(TwoClientsMoneyContract, ARefundIsNotedByHandOnce) {
    const auto payment = begin_payment(buy(1));
    ASSERT_TRUE(run_to_end(payments.take(money(payment, "first", "one"), now())));
    ASSERT_TRUE(run_to_end(payments.take(money(payment, "second", "two"), now())));
    const auto charge = owed().at(0).charge.id;
    const auto deeds = deeds_written();
    const auto [one, two] = at_once(payments.note_sent_back(charge, "", make_deed(7'001)),
                                    others.note_sent_back(charge, "", make_deed(7'002)));
    EXPECT_TRUE(one && two);
    EXPECT_EQ(deeds_written(), deeds + 1);
    EXPECT_THAT(owed(), IsEmpty());
}

class TwoClientsSandboxContract : public contract::TwoClientsContract {
  protected:
    SandboxLedger& sandbox = ledgers->all().sandbox();
    SandboxLedger& others = other.ledgers.sandbox();

    static SandboxLedger::Account account(std::string ref) {
        return {.ref = std::move(ref),
                .payment = PaymentId{7},
                .amount_cents = 5,
                .currency = "CNY",
                .paid = false};
    }
    std::vector<SandboxLedger::Letter> letters(std::int64_t id) {
        return {{.id = LetterId{id}, .body = "{}", .due_at = now, .attempts = 0}};
    }
    std::size_t letters_due() { return run_to_end(sandbox.post(now, 100)).due.size(); }
};

TEST_P(TwoClientsSandboxContract, APaymentHasOneAccount) {
    const auto [one, two] =
        at_once(sandbox.open(account("mine"), now), others.open(account("theirs"), now));
    EXPECT_EQ(one.ref, two.ref);
    EXPECT_NE(run_to_end(sandbox.find("mine")).has_value(),
              run_to_end(sandbox.find("theirs")).has_value());
}

TEST_P(TwoClientsSandboxContract, ABillIsPaidOnce) {
    run_to_end(sandbox.open(account("a"), now));
    const auto [one, two] =
        at_once(sandbox.press("a", true, letters(1)), others.press("a", true, letters(2)));
    EXPECT_NE(one.has_value(), two.has_value());
    EXPECT_EQ(letters_due(), 1U);
}

TEST_P(TwoClientsSandboxContract, TheLastPressIsPressedOnce) {
    run_to_end(sandbox.open(account("a"), now));
    for (std::int64_t id = 1; id < kMostPresses; ++id)
        ASSERT_TRUE(run_to_end(sandbox.press("a", false, letters(id))));
    const auto [one, two] =
        at_once(sandbox.press("a", false, letters(101)), others.press("a", false, letters(102)));
    EXPECT_NE(one.has_value(), two.has_value());
    EXPECT_EQ(letters_due(), static_cast<std::size_t>(kMostPresses));
}

TEST_P(TwoClientsSandboxContract, OneKeyRefundsOnce) {
    run_to_end(sandbox.open(account("a"), now));
    ASSERT_TRUE(run_to_end(sandbox.press("a", true, letters(1))));
    const Charge charge{ChargeId{1}, "c", 5, "CNY"};
    const auto [one, two] = at_once(sandbox.refund("k", PaymentId{7}, charge, letters(2).front()),
                                    others.refund("k", PaymentId{7}, charge, letters(3).front()));
    EXPECT_TRUE(one && two);
    EXPECT_EQ(letters_due(), 2U) << "of the press and of one refund";
}

RUN_ON_EVERY_ADAPTER(TwoClientsMoneyContract);
RUN_ON_EVERY_ADAPTER(TwoClientsSandboxContract);

}  // namespace
}  // namespace sluice
