#include "domain/payment.hpp"

#include "base/names.hpp"

namespace sluice {
namespace {

constexpr Names<PaymentState::refunded> kPaymentStates({{PaymentState::pending, "pending"},
                                                        {PaymentState::captured, "captured"},
                                                        {PaymentState::failed, "failed"},
                                                        {PaymentState::refunded, "refunded"}});
constexpr Names<RefundReason::operator_> kReasons({{RefundReason::late, "late"},
                                                   {RefundReason::surplus, "surplus"},
                                                   {RefundReason::mismatch, "mismatch"},
                                                   {RefundReason::operator_, "operator"}});
constexpr Names<OrderMoney::owed> kMoney({{OrderMoney::late, "late"},
                                          {OrderMoney::surplus, "surplus"},
                                          {OrderMoney::mismatch, "mismatch"},
                                          {OrderMoney::owed, "owed"}});
using Type = PaymentEvent::Type;
constexpr Names<Type::refund_succeeded> kTypes({{Type::payment_succeeded, "payment.succeeded"},
                                                {Type::payment_failed, "payment.failed"},
                                                {Type::refund_succeeded, "refund.succeeded"}});
constexpr Names<EventOutcome::repeated> kOutcomes({{EventOutcome::captured, "captured"},
                                                   {EventOutcome::refunded, "refunded"},
                                                   {EventOutcome::failed, "failed"},
                                                   {EventOutcome::noted, "noted"},
                                                   {EventOutcome::repeated, "repeated"}});

}  // namespace

std::string_view to_string(PaymentState state) {
    return kPaymentStates.text(state);
}

std::optional<PaymentState> parse_payment_state(std::string_view text) {
    return kPaymentStates.parse(text);
}

std::string_view to_string(RefundReason reason) {
    return kReasons.text(reason);
}

std::string_view to_string(OrderMoney money) {
    return kMoney.text(money);
}

std::optional<OrderMoney> parse_order_money(std::string_view text) {
    return kMoney.parse(text);
}

std::optional<RefundReason> why_refund(const Charge& charge, const Payment& payment,
                                       const Order& order, Timestamp now) {
    if (charge.amount_cents != payment.amount_cents || charge.currency != payment.currency)
        return RefundReason::mismatch;
    if (is_pending_at(order, now)) return std::nullopt;
    const bool was_paid = order.state == OrderState::paid || order.state == OrderState::refunded;
    return was_paid ? RefundReason::surplus : RefundReason::late;
}

PaymentState after_money(PaymentState state, bool captured) {
    if (captured) return PaymentState::captured;
    // Surplus money goes back and leaves alone what was captured before.
    return state == PaymentState::captured ? state : PaymentState::refunded;
}

PaymentState after_failure(PaymentState state) {
    return state == PaymentState::pending ? PaymentState::failed : state;
}

std::string_view to_string(PaymentEvent::Type type) {
    return kTypes.text(type);
}

std::optional<PaymentEvent::Type> parse_payment_event_type(std::string_view text) {
    return kTypes.parse(text);
}

std::string_view to_string(EventOutcome outcome) {
    return kOutcomes.text(outcome);
}

EventPlan plan_for(const PaymentEvent& event, const Payment& payment, const EventFacts& facts,
                   Timestamp now) {
    EventPlan plan{.payment = payment.state};
    switch (event.type) {
        case PaymentEvent::Type::payment_succeeded:
            if (facts.is_charge_known) break;
            plan.refund = why_refund(event.charge, payment, *facts.order, now);
            plan.outcome = plan.refund ? EventOutcome::refunded : EventOutcome::captured;
            plan.ends_order =
                plan.refund == RefundReason::late && facts.order->state == OrderState::pending;
            plan.payment = after_money(payment.state, !plan.refund);
            break;
        case PaymentEvent::Type::payment_failed:
            plan.payment = after_failure(payment.state);
            if (plan.payment != payment.state) plan.outcome = EventOutcome::failed;
            break;
        case PaymentEvent::Type::refund_succeeded:
            break;
    }
    return plan;
}

bool may_send_back_by_hand(std::string_view provider, std::string_view at_work,
                           std::int64_t attempts) {
    return provider != at_work || attempts > 0;
}

}  // namespace sluice
