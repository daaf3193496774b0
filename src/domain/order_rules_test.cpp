#include "domain/order_rules.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr auto kDue = from_millis(1'000);

Order order_in(OrderState state) {
    Order order;
    order.state = state;
    order.expires_at = kDue;
    return order;
}

enum class Said { write, stands, no };

Said said(const Outcome<Step>& judged, Detail detail) {
    if (judged) return *judged == Step::write ? Said::write : Said::stands;
    EXPECT_EQ(judged.error().reason, Reason::conflict);
    EXPECT_EQ(judged.error().detail, detail);
    return Said::no;
}

struct Row {
    OrderState state;
    Timestamp now;
    Said cancel;
    Said refund;
};
constexpr std::array<Row, 6> kRows{{
    {OrderState::pending, from_millis(999), Said::write, Said::no},
    {OrderState::pending, kDue, Said::no, Said::no},  // it is over, though nobody has noted it yet
    {OrderState::paid, from_millis(0), Said::no, Said::write},
    {OrderState::expired, from_millis(0), Said::no, Said::no},
    {OrderState::cancelled, kDue, Said::stands, Said::no},
    {OrderState::refunded, kDue, Said::no, Said::stands},
}};

TEST(OrderRules, SayWhoMayGiveBackWhat) {
    for (const auto& [state, now, cancel, refund] : kRows) {
        SCOPED_TRACE(to_string(state));
        EXPECT_EQ(said(judge_cancel(order_in(state), now), Detail::not_pending), cancel);
        EXPECT_EQ(said(judge_refund(order_in(state)), Detail::not_paid), refund);
    }
}

TEST(OrderRules, UnitsThatAreNotThereDoNotExpire) {
    EXPECT_TRUE(can_expire(2, 2));
    EXPECT_TRUE(can_expire(2, 5));
    EXPECT_FALSE(can_expire(2, 1));
    EXPECT_FALSE(can_expire(-1, 5)) << "somebody has tampered with it";
}

TEST(OrderRules, APaymentBeginsWhileTheOrderIsPendingAndNotTooOften) {
    const auto pending = order_in(OrderState::pending);
    const auto paid = order_in(OrderState::paid);
    const struct {
        const Order& order;
        PaymentFacts payments;
        Timestamp now;
        Detail why_not;
    } rows[] = {
        {pending, {false, 0}, from_millis(999), Detail::none},
        {pending, {false, kMostPayments - 1}, from_millis(999), Detail::none},
        {pending, {false, kMostPayments}, from_millis(999), Detail::too_many_payments},
        {pending, {true, kMostPayments}, from_millis(999), Detail::none},  // used again
        {pending, {true, 1}, kDue, Detail::not_payable},
        {pending, {false, kMostPayments}, kDue, Detail::not_payable},
        {paid, {false, 0}, from_millis(0), Detail::not_payable},
    };
    for (const auto& [order, payments, now, why_not] : rows) {
        SCOPED_TRACE(testing::Message() << to_string(order.state) << ' ' << payments.has_open << ' '
                                        << payments.count << ' ' << to_millis(now));
        const auto refusal = why_not_payable(order, payments, now);
        EXPECT_EQ(refusal ? refusal->detail : Detail::none, why_not);
    }
}

TEST(OrderRules, HoldsLeftUnpaidCostAWaitThatGrows) {
    using namespace std::chrono_literals;
    Sale sale;
    sale.unpaid_limit = 2;
    sale.hold_seconds = 900;
    const auto wait = [&](std::int64_t count) -> std::optional<std::chrono::milliseconds> {
        const auto until = unpaid_wait_until({.count = count, .latest = kDue}, sale);
        if (!until) return std::nullopt;
        return *until - kDue;
    };
    EXPECT_FALSE(wait(0));
    EXPECT_FALSE(wait(1));
    EXPECT_EQ(wait(2), 15min);
    EXPECT_EQ(wait(3), 30min);
    EXPECT_EQ(wait(5), 2h);
    EXPECT_EQ(wait(9), 24h);
    EXPECT_EQ(wait(1'000), 24h);
    sale.hold_seconds = 1;
    EXPECT_EQ(wait(2), 1min) << "at least";
    EXPECT_FALSE(unpaid_wait_until({}, sale));
}

}  // namespace
}  // namespace sluice
