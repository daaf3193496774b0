#include "api/payment_words.hpp"

#include <gtest/gtest.h>

namespace sluice::api {
namespace {

using Money = PaymentLedger::History::Money;

Payment payment(PaymentState state) {
    Payment made;
    made.id = PaymentId{7};
    made.state = state;
    return made;
}

Money charge(PaymentId of, std::optional<Timestamp> done_at) {
    Money money;
    money.payment = of;
    money.refund.emplace().done_at = done_at;
    return money;
}

TEST(PaymentWords, MoneyIsOwedUntilItsRefundIsDone) {
    const auto owed = charge(PaymentId{7}, std::nullopt);
    const auto done = charge(PaymentId{7}, Timestamp{});
    const auto of_another = charge(PaymentId{8}, std::nullopt);
    const auto went_back = payment(PaymentState::refunded);
    EXPECT_EQ(shown_state(went_back, {owed}), "refund_owed");
    EXPECT_EQ(shown_state(went_back, {done, owed}), "refund_owed") << "all of it has to be back";
    EXPECT_EQ(shown_state(went_back, {done}), "refunded");
    EXPECT_EQ(shown_state(went_back, {done, of_another}), "refunded");
    EXPECT_EQ(shown_state(payment(PaymentState::captured), {owed}), "captured")
        << "what came on top does not touch what has paid";
    EXPECT_EQ(shown_state(payment(PaymentState::pending), {}), "pending");
}

TEST(PaymentWords, AnEventOnlyMakesMoneyOwed) {
    EXPECT_EQ(shown_outcome("refunded"), "refund_owed");
    for (const auto* other : {"captured", "failed", "noted", "repeated"})
        EXPECT_EQ(shown_outcome(other), other);
}

}  // namespace
}  // namespace sluice::api
