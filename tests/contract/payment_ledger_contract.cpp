#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"
#include "domain/order_rules.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

/// Orders of the sale cost 99 a unit and are held for 60 s.
class PaymentLedgerContract : public contract::OrderContract {
  protected:
    PaymentLedger& payments = ledgers->all().payments();

    Timestamp now() { return ledgers->clock().now(); }

    Outcome<Payment> try_begin(const Order& order, std::int64_t buyer = 7) {
        Payment draft;
        draft.id = PaymentId{++ids};
        draft.order = order.id;
        draft.provider = "bank";
        draft.created_at = now();
        return run_to_end(payments.begin(draft, UserId{buyer}));
    }
    Payment begin(const Order& order) { return try_begin(order).value(); }

    PaymentEvent money(const Payment& payment, std::string charge = "", std::int64_t amount = 99) {
        auto event = failure(payment);
        event.type = PaymentEvent::Type::payment_succeeded;
        if (charge.empty()) charge = "charge " + std::to_string(ids);
        event.charge = {ChargeId{ids}, std::move(charge), amount, "CNY"};
        return event;
    }
    PaymentEvent failure(const Payment& payment) {
        PaymentEvent event;
        event.provider = "bank";
        event.id = "event " + std::to_string(++ids);
        event.type = PaymentEvent::Type::payment_failed;
        event.payment = payment.id;
        return event;
    }
    PaymentLedger::Taken take(const PaymentEvent& event) {
        return run_to_end(payments.take(event, now())).value();
    }
    EventOutcome outcome(const PaymentEvent& event) { return take(event).outcome; }

    Outcome<OrderLedger::GivenBack> refund(OrderId id) {
        auto deed = make_deed(++ids);
        deed.at = now();
        return run_to_end(payments.refund(id, deed));
    }
    PaymentLedger::History history(const Order& order) {
        return run_to_end(payments.history(order.id)).value();
    }
    std::vector<PaymentLedger::OwedRefund> owed() {
        return run_to_end(payments.owed_refunds("bank", now(), 100)).due;
    }
    OrderState state_of(const Order& order) { return history(order).order.state; }
    Stock stock() { return stored_sale().stock; }

    std::int64_t ids = 5'000;
};

TEST_P(PaymentLedgerContract, BeginsOnePaymentAtATimeForWhatTheOrderCosts) {
    const auto order = buy(7, 1, 2);
    const auto payment = begin(order);
    EXPECT_EQ(payment.amount_cents, 198);
    EXPECT_EQ(payment.currency, "CNY");
    EXPECT_EQ(payment.state, PaymentState::pending);
    EXPECT_FALSE(payment.bill);
    EXPECT_EQ(begin(order).id, payment.id);
    EXPECT_EQ(try_begin(order, 8).error().reason, Reason::not_found);
    EXPECT_EQ(outcome(failure(payment)), EventOutcome::failed);
    EXPECT_NE(begin(order).id, payment.id);
}

TEST_P(PaymentLedgerContract, BeginsNoneOnceTheOrderIsDueOrDecided) {
    const auto order = buy(7), other = buy(7, 2);
    begin(order);
    ASSERT_TRUE(run_to_end(orders.cancel(other.id, UserId{7}, now())));
    EXPECT_EQ(try_begin(other).error().reason, Reason::conflict);
    ledgers->clock().move(seconds{60} - milliseconds{1});
    EXPECT_TRUE(try_begin(order));
    ledgers->clock().move(milliseconds{1});
    EXPECT_EQ(try_begin(order).error().reason, Reason::conflict);
}

TEST_P(PaymentLedgerContract, BeginsNoMoreThanAFew) {
    const auto order = buy(7);
    for (std::size_t i = 0; i < kMostPayments; ++i) take(failure(begin(order)));
    EXPECT_EQ(try_begin(order).error().detail, Detail::too_many_payments);
}

TEST_P(PaymentLedgerContract, KeepsTheFirstBillAndTheReceiptOfWhoAsked) {
    const auto order = buy(7);
    const auto payment = begin(order);
    const Bill bill{"ref", "/pay"}, other{"other", "/other"};
    ASSERT_TRUE(run_to_end(payments.keep_bill(payment.id, bill, make_receipt("k", 1, "answer"))));
    const auto again = run_to_end(payments.keep_bill(payment.id, other, make_receipt("k", 1, "")));
    EXPECT_EQ(again->first_answer, "answer");
    ASSERT_TRUE(run_to_end(payments.keep_bill(payment.id, other, std::nullopt)));
    EXPECT_EQ(begin(order).bill->ref, "ref");
    EXPECT_EQ(begin(order).bill->url, "/pay");
}

TEST_P(PaymentLedgerContract, MoneyPaysTheOrderAndItsUnitsAreSold) {
    const auto order = buy(7, 1, 2);
    const auto event = money(begin(order), "", 198);
    EXPECT_EQ(outcome(event), EventOutcome::captured);
    const auto known = history(order);
    EXPECT_EQ(known.order.state, OrderState::paid);
    EXPECT_EQ(known.order.paid_at, now());
    EXPECT_EQ(stock().held, 0);
    EXPECT_EQ(stock().sold, 2);
    EXPECT_EQ(stock().left, 8);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 2)));
    ASSERT_THAT(known.money, SizeIs(1));
    EXPECT_TRUE(known.money[0].captures);
    EXPECT_FALSE(known.money[0].refund);
    EXPECT_EQ(known.payments[0].state, PaymentState::captured);
    EXPECT_THAT(owed(), IsEmpty());
    EXPECT_EQ(run_to_end(orders.next_due({})), std::nullopt) << "it does not expire any more";
}

TEST_P(PaymentLedgerContract, AnOrderTellsItsBuyerThatTheLatestPaymentFailed) {
    const auto order = buy(7);
    const auto failed = [&] {
        return run_to_end(orders.order(order.id, UserId{7}))->payment_failed;
    };
    EXPECT_FALSE(failed());
    take(failure(begin(order)));
    EXPECT_TRUE(failed());
    const auto second = begin(order);
    EXPECT_FALSE(failed()) << "another one is under way";
    take(money(second));
    EXPECT_FALSE(failed());
}

TEST_P(PaymentLedgerContract, AnEventCountsOnceAndSoDoesMoney) {
    const auto order = buy(7);
    const auto payment = begin(order);
    const auto event = money(payment, "charge");
    EXPECT_EQ(outcome(event), EventOutcome::captured);
    EXPECT_EQ(outcome(event), EventOutcome::repeated);
    EXPECT_EQ(outcome(money(payment, "charge")), EventOutcome::noted);
    EXPECT_THAT(history(order).money, SizeIs(1));
    EXPECT_THAT(history(order).events, SizeIs(2));
    EXPECT_THAT(owed(), IsEmpty());
}

TEST_P(PaymentLedgerContract, AtOnceFromManySidesCapturesOnce) {
    const auto order = buy(7);
    const auto payment = begin(order);
    int captured = 0, refunded = 0;
    for (int i = 0; i < 10; ++i)
        loop.spawn(payments.take(money(payment), now()),
                   [&](std::exception_ptr error, Outcome<PaymentLedger::Taken> taken) {
                       EXPECT_FALSE(error);
                       captured += taken->outcome == EventOutcome::captured;
                       refunded += taken->outcome == EventOutcome::refunded;
                   });
    loop.run();
    EXPECT_EQ(captured, 1);
    EXPECT_EQ(refunded, 9);
    EXPECT_THAT(owed(), SizeIs(9));
    EXPECT_EQ(stock().sold, 1);
}

TEST_P(PaymentLedgerContract, MoneyAtTheInstantOfExpiryIsLateAndExpiresTheOrder) {
    const auto order = buy(7);
    const auto payment = begin(order);
    ledgers->clock().move(seconds{60});
    const auto taken = take(money(payment, "late"));
    EXPECT_EQ(taken.outcome, EventOutcome::refunded);
    EXPECT_EQ(taken.returned, sale.id);
    const HotChange back{.seq = 1, .delta_left = 1, .buyer = UserId{7}, .delta_units = -1};
    EXPECT_THAT(outbox(), ElementsAre(back));
    EXPECT_EQ(state_of(order), OrderState::expired);
    expect_stock(10, 0);
    ASSERT_THAT(owed(), SizeIs(1));
    EXPECT_EQ(owed()[0].charge.ref, "late");
    EXPECT_EQ(history(order).money[0].refund->reason, "late");
    EXPECT_EQ(run_to_end(orders.expire(now(), 10, {})).orders, 0U);
}

TEST_P(PaymentLedgerContract, MoneyOneMillisecondEarlierPays) {
    const auto order = buy(7);
    const auto payment = begin(order);
    ledgers->clock().move(seconds{60} - milliseconds{1});
    EXPECT_EQ(outcome(money(payment)), EventOutcome::captured);
    ledgers->clock().move(milliseconds{1});
    EXPECT_EQ(run_to_end(orders.expire(now(), 10, {})).orders, 0U);
    EXPECT_EQ(state_of(order), OrderState::paid);
}

TEST_P(PaymentLedgerContract, MoneyAfterACancelOrOfAnotherAmountGoesBack) {
    const auto order = buy(7), other = buy(7, 2);
    const auto payment = begin(order), second = begin(other);
    ASSERT_TRUE(run_to_end(orders.cancel(order.id, UserId{7}, now())));
    const auto taken = take(money(payment));
    EXPECT_EQ(taken.outcome, EventOutcome::refunded);
    EXPECT_FALSE(taken.returned);
    EXPECT_EQ(outcome(money(second, "", 98)), EventOutcome::refunded);
    EXPECT_EQ(state_of(other), OrderState::pending);
    EXPECT_EQ(history(other).money[0].refund->reason, "mismatch");
    EXPECT_EQ(outcome(money(begin(other))), EventOutcome::captured);
    EXPECT_THAT(owed(), SizeIs(2));
}

TEST_P(PaymentLedgerContract, AFailureIsNothingOnceThereWasMoney) {
    const auto order = buy(7);
    const auto payment = begin(order);
    EXPECT_EQ(outcome(failure(payment)), EventOutcome::failed);
    EXPECT_EQ(outcome(failure(payment)), EventOutcome::noted);
    EXPECT_EQ(outcome(money(payment)), EventOutcome::captured);
    EXPECT_EQ(outcome(failure(payment)), EventOutcome::noted);
    EXPECT_EQ(history(order).payments[0].state, PaymentState::captured);
}

TEST_P(PaymentLedgerContract, KnowsNothingOfAPaymentThatIsNotOurs) {
    auto event = money(begin(buy(7)));
    event.payment = PaymentId{1};
    EXPECT_EQ(run_to_end(payments.take(event, now())).error().reason, Reason::not_found);
}

TEST_P(PaymentLedgerContract, MoneyBelongsToWhomeverTellsOfIt) {
    const auto order = buy(7);
    const auto payment = begin(order);
    auto event = money(payment, "theirs");
    event.provider = "another bank";
    EXPECT_EQ(outcome(event), EventOutcome::captured);
    EXPECT_EQ(history(order).money[0].provider, "another bank");
    EXPECT_EQ(outcome(money(payment, "theirs")), EventOutcome::noted) << "the same money";
    event.provider = "bank";
    EXPECT_EQ(outcome(event), EventOutcome::repeated) << "the same event";
    ASSERT_TRUE(refund(order.id));
    EXPECT_THAT(owed(), IsEmpty()) << "our bank does not have it";
    const auto refunds = run_to_end(payments.owed_refunds("another bank", now(), 100));
    ASSERT_THAT(refunds.due, SizeIs(1));
    EXPECT_THAT(refunds.owed, ElementsAre(Pair("another bank", 1U)));

    auto told = failure(payment);
    told.type = PaymentEvent::Type::refund_succeeded;
    told.refund = refunds.due[0].charge.id;
    EXPECT_EQ(outcome(told), EventOutcome::noted);
    EXPECT_FALSE(history(order).money[0].refund->done_at) << "not for our bank to say";
    told.provider = "another bank";
    told.id = "another event";
    EXPECT_EQ(outcome(told), EventOutcome::noted);
    EXPECT_TRUE(history(order).money[0].refund->done_at);
}

TEST_P(PaymentLedgerContract, AnOperatorNotesWhatWasSentBackOutside) {
    const auto order = buy(7);
    const auto payment = begin(order);
    take(money(payment));
    take(money(payment));
    const auto refund_id = owed().at(0).charge.id;
    const auto deeds = run_to_end(ledgers->all().trail().list({}, 100)).size();
    const auto note = [&](const char* at_work) {
        auto deed = make_deed(++ids);
        deed.at = now();
        return run_to_end(payments.note_sent_back(refund_id, at_work, deed));
    };
    EXPECT_EQ(note("bank").error().reason, Reason::conflict) << "it is about to send it itself";
    EXPECT_THAT(owed(), SizeIs(1));
    EXPECT_EQ(note(""), order.id);
    EXPECT_EQ(note(""), order.id);
    EXPECT_THAT(owed(), IsEmpty());
    EXPECT_TRUE(history(order).money[1].refund->by_hand);
    const auto trail = run_to_end(ledgers->all().trail().list({}, 100));
    EXPECT_EQ(trail.size(), deeds + 1) << "noted once";
    EXPECT_EQ(trail[0].deed.subject, order.id.text());
    EXPECT_EQ(run_to_end(payments.note_sent_back(ChargeId{1}, "", make_deed(1))).error().reason,
              Reason::not_found);
}

TEST_P(PaymentLedgerContract, AnOperatorMayNoteWhatTheProviderWasAskedForInVain) {
    const auto payment = begin(buy(7));
    take(money(payment));
    take(money(payment));
    const auto refund_id = owed().at(0).charge.id;
    run_to_end(payments.put_off_refund(refund_id, now() + seconds{1}));
    EXPECT_TRUE(run_to_end(payments.note_sent_back(refund_id, "bank", make_deed(++ids))));
    ledgers->clock().move(seconds{1});
    EXPECT_THAT(owed(), IsEmpty());
}

TEST_P(PaymentLedgerContract, AnOperatorsRefundReturnsUnitsAndMoneyOnce) {
    const auto order = buy(7, 1, 2);
    take(money(begin(order), "", 198));
    const auto deeds = run_to_end(ledgers->all().trail().list({}, 100)).size();
    const auto first = refund(order.id);
    ASSERT_TRUE(first && first->fresh);
    EXPECT_EQ(first->order.state, OrderState::refunded);
    const HotChange back{.seq = 1, .delta_left = 2, .buyer = UserId{7}, .delta_units = -2};
    EXPECT_THAT(outbox(), ElementsAre(back));
    const auto second = refund(order.id);
    ASSERT_TRUE(second);
    EXPECT_FALSE(second->fresh) << "it had happened before";
    expect_stock(10, 0);
    EXPECT_EQ(stock().sold, 0);
    EXPECT_THAT(holdings(), ElementsAre(Pair(UserId{7}, 0)));
    EXPECT_THAT(owed(), SizeIs(1));
    EXPECT_EQ(history(order).payments[0].state, PaymentState::refunded);
    EXPECT_EQ(run_to_end(ledgers->all().trail().list({}, 100)).size(), deeds + 1);
}

TEST_P(PaymentLedgerContract, OnlyWhatIsPaidIsRefunded) {
    EXPECT_EQ(refund(buy(7).id).error().reason, Reason::conflict);
    EXPECT_EQ(refund(OrderId{1}).error().reason, Reason::not_found);
    EXPECT_THAT(owed(), IsEmpty());
}

TEST_P(PaymentLedgerContract, WhatIsOwedStaysOwedUntilItIsDone) {
    const auto order = buy(7);
    const auto payment = begin(order);
    take(money(payment));
    take(money(payment));
    take(money(payment));
    const auto due = owed();
    ASSERT_THAT(due, SizeIs(2));
    run_to_end(payments.note_refunded(due[0].charge.id, now()));
    run_to_end(payments.put_off_refund(due[1].charge.id, now() + seconds{1}));
    EXPECT_THAT(owed(), IsEmpty());
    const auto waiting = run_to_end(payments.owed_refunds("bank", now(), 100));
    EXPECT_THAT(waiting.owed, ElementsAre(Pair("bank", 1U)));
    ledgers->clock().move(seconds{1});
    ASSERT_THAT(owed(), SizeIs(1));
    EXPECT_EQ(owed()[0].charge.id, due[1].charge.id);
    EXPECT_EQ(owed()[0].attempts, 1);
    EXPECT_THAT(run_to_end(payments.owed_refunds("another bank", now(), 100)).due, IsEmpty());

    auto told = failure(payment);
    told.type = PaymentEvent::Type::refund_succeeded;
    told.refund = due[1].charge.id;
    EXPECT_EQ(outcome(told), EventOutcome::noted);
    EXPECT_THAT(owed(), IsEmpty()) << "the provider's word is as good as its answer";
}

RUN_ON_EVERY_ADAPTER(PaymentLedgerContract);

}  // namespace
}  // namespace sluice
