#include "domain/payment.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace sluice {
namespace {

using std::chrono::milliseconds;

constexpr Timestamp kDue = from_millis(1'000'000);

Order order(OrderState state = OrderState::pending) {
    Order made;
    made.price_cents = 50;
    made.quantity = 2;
    made.currency = "CNY";
    made.state = state;
    made.expires_at = kDue;
    return made;
}

Payment payment() {
    Payment made;
    made.amount_cents = 100;
    made.currency = "CNY";
    return made;
}

Charge charge(std::int64_t amount = 100, std::string currency = "CNY") {
    return {.id = ChargeId{1}, .ref = "c", .amount_cents = amount, .currency = std::move(currency)};
}

TEST(Payment, PaysUntilTheOrderIsDueAndNotAtThatInstant) {
    EXPECT_EQ(why_refund(charge(), payment(), order(), kDue - milliseconds{1}), std::nullopt);
    EXPECT_EQ(why_refund(charge(), payment(), order(), kDue), RefundReason::late);
}

TEST(Payment, MoneyForAnOrderThatIsDecidedGoesBack) {
    const auto now = kDue - milliseconds{1};
    const auto why = [&](OrderState state) {
        return why_refund(charge(), payment(), order(state), now);
    };
    EXPECT_EQ(why(OrderState::paid), RefundReason::surplus);
    EXPECT_EQ(why(OrderState::refunded), RefundReason::surplus);
    EXPECT_EQ(why(OrderState::expired), RefundReason::late);
    EXPECT_EQ(why(OrderState::cancelled), RefundReason::late);
}

TEST(Payment, AnotherAmountNeverPays) {
    const auto now = kDue - milliseconds{1};
    for (const auto& other : {charge(99), charge(101), charge(0), charge(100, "USD")})
        EXPECT_EQ(why_refund(other, payment(), order(), now), RefundReason::mismatch);
}

struct EventRow {
    PaymentEvent::Type type;
    PaymentState payment;
    OrderState order;
    Timestamp now;
    bool is_charge_known;
    EventPlan plan;
};

using Type = PaymentEvent::Type;
constexpr Timestamp kInTime = kDue - milliseconds{1};
const std::array<EventRow, 9> kEvents{{
    {Type::payment_succeeded,
     PaymentState::pending,
     OrderState::pending,
     kInTime,
     false,
     {EventOutcome::captured, {}, false, PaymentState::captured}},
    // A failure was told of before: money counts whenever it comes.
    {Type::payment_succeeded,
     PaymentState::failed,
     OrderState::pending,
     kInTime,
     false,
     {EventOutcome::captured, {}, false, PaymentState::captured}},
    {Type::payment_succeeded,
     PaymentState::captured,
     OrderState::paid,
     kInTime,
     true,
     {EventOutcome::noted, {}, false, PaymentState::captured}},
    {Type::payment_succeeded,
     PaymentState::captured,
     OrderState::paid,
     kInTime,
     false,
     {EventOutcome::refunded, RefundReason::surplus, false, PaymentState::captured}},
    {Type::payment_succeeded,
     PaymentState::pending,
     OrderState::expired,
     kDue,
     false,
     {EventOutcome::refunded, RefundReason::late, false, PaymentState::refunded}},
    // The expirer has not come to the order yet.
    {Type::payment_succeeded,
     PaymentState::pending,
     OrderState::pending,
     kDue,
     false,
     {EventOutcome::refunded, RefundReason::late, true, PaymentState::refunded}},
    {Type::payment_failed,
     PaymentState::pending,
     OrderState::pending,
     kInTime,
     false,
     {EventOutcome::failed, {}, false, PaymentState::failed}},
    {Type::payment_failed,
     PaymentState::captured,
     OrderState::paid,
     kInTime,
     false,
     {EventOutcome::noted, {}, false, PaymentState::captured}},
    {Type::refund_succeeded,
     PaymentState::refunded,
     OrderState::refunded,
     kInTime,
     false,
     {EventOutcome::noted, {}, false, PaymentState::refunded}},
}};

TEST(Payment, AnEventComesToWhatTheRecordAllows) {
    for (const auto& row : kEvents) {
        SCOPED_TRACE(std::string(to_string(row.type)) + ", " + std::string(to_string(row.payment)) +
                     ", " + std::string(to_string(row.order)));
        PaymentEvent event;
        event.type = row.type;
        event.charge = charge();
        auto paid = payment();
        paid.state = row.payment;
        const auto of = order(row.order);
        const auto plan = plan_for(event, paid, {row.is_charge_known, &of}, row.now);
        EXPECT_EQ(plan.outcome, row.plan.outcome);
        EXPECT_EQ(plan.refund, row.plan.refund);
        EXPECT_EQ(plan.ends_order, row.plan.ends_order);
        EXPECT_EQ(plan.payment, row.plan.payment);
    }
}

TEST(Payment, MoneyGoesBackByHandOnceItsProviderHasTried) {
    EXPECT_TRUE(may_send_back_by_hand("outside", "sandbox", 0)) << "nobody here can send it";
    EXPECT_FALSE(may_send_back_by_hand("sandbox", "sandbox", 0));
    EXPECT_TRUE(may_send_back_by_hand("sandbox", "sandbox", 1));
}

TEST(Payment, StatesGoIntoTextAndBack) {
    for (const auto state : {PaymentState::pending, PaymentState::captured, PaymentState::failed,
                             PaymentState::refunded})
        EXPECT_EQ(parse_payment_state(to_string(state)), state);
    EXPECT_EQ(parse_payment_state("lost"), std::nullopt);
    EXPECT_EQ(parse_payment_event_type("payment.succeeded"), PaymentEvent::Type::payment_succeeded);
    EXPECT_EQ(parse_payment_event_type("refund.failed"), std::nullopt);
}

/// What may happen to an order and to its two payments, in any order and any number of times.
enum class Step { money_1, money_2, wrong_money, failure_1, failure_2, expiry, cancel, refund };
constexpr std::array kSteps{Step::money_1,   Step::money_2, Step::wrong_money, Step::failure_1,
                            Step::failure_2, Step::expiry,  Step::cancel,      Step::refund};

RC_GTEST_PROP(Payment, AnySequenceCapturesOnceAndSendsTheRestBack, ()) {
    const auto steps = *rc::gen::container<std::vector<Step>>(rc::gen::elementOf(kSteps));
    const auto now = kDue - milliseconds{1};
    auto sold = order();
    std::array payments{payment(), payment()};
    int taken = 0, captured = 0, owed = 0;
    const auto become = [&](OrderState to) {
        const bool may = may_become(sold.state, to);
        if (may) sold.state = to;
        return may;
    };
    const auto take = [&](Payment& paid, const Charge& money) {
        ++taken;
        const auto back = why_refund(money, paid, sold, now);
        if (back)
            ++owed;
        else
            captured += become(OrderState::paid);
        paid.state = after_money(paid.state, !back);
    };
    for (const auto step : steps) {
        if (step == Step::money_1) take(payments[0], charge());
        if (step == Step::money_2) take(payments[1], charge());
        if (step == Step::wrong_money) take(payments[0], charge(1));
        if (step == Step::failure_1) payments[0].state = after_failure(payments[0].state);
        if (step == Step::failure_2) payments[1].state = after_failure(payments[1].state);
        if (step == Step::expiry) become(OrderState::expired);
        if (step == Step::cancel) become(OrderState::cancelled);
        if (step == Step::refund && become(OrderState::refunded)) {
            ++owed;
            for (auto& paid : payments)
                if (paid.state == PaymentState::captured) paid.state = PaymentState::refunded;
        }
        RC_ASSERT(captured <= 1);
        RC_ASSERT(taken - owed == (sold.state == OrderState::paid ? 1 : 0));
        const auto captures = std::ranges::count(payments, PaymentState::captured, &Payment::state);
        RC_ASSERT(captures == (sold.state == OrderState::paid ? 1 : 0));
    }
}

}  // namespace
}  // namespace sluice
