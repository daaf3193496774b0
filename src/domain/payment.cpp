#include "domain/payment.hpp"

namespace sluice {

std::string_view to_string(PaymentState state) {
    switch (state) {
        case PaymentState::pending:
            return "pending";
        case PaymentState::captured:
            return "captured";
        case PaymentState::failed:
            return "failed";
        case PaymentState::refunded:
            return "refunded";
    }
    return "pending";
}

std::optional<PaymentState> parse_payment_state(std::string_view text) {
    for (const auto state : {PaymentState::pending, PaymentState::captured, PaymentState::failed,
                             PaymentState::refunded})
        if (to_string(state) == text) return state;
    return std::nullopt;
}

std::string_view to_string(RefundReason reason) {
    switch (reason) {
        case RefundReason::late:
            return "late";
        case RefundReason::surplus:
            return "surplus";
        case RefundReason::mismatch:
            return "mismatch";
        case RefundReason::operator_:
            return "operator";
    }
    return "late";
}

std::string_view to_string(OrderMoney money) {
    switch (money) {
        case OrderMoney::late:
            return to_string(RefundReason::late);
        case OrderMoney::surplus:
            return to_string(RefundReason::surplus);
        case OrderMoney::mismatch:
            return to_string(RefundReason::mismatch);
        case OrderMoney::owed:
            return "owed";
    }
    return "owed";
}

std::optional<OrderMoney> parse_order_money(std::string_view text) {
    for (const auto money :
         {OrderMoney::late, OrderMoney::surplus, OrderMoney::mismatch, OrderMoney::owed})
        if (to_string(money) == text) return money;
    return std::nullopt;
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
    // Money that came on top goes back without touching what was captured before it.
    return state == PaymentState::captured ? state : PaymentState::refunded;
}

PaymentState after_failure(PaymentState state) {
    return state == PaymentState::pending ? PaymentState::failed : state;
}

std::string_view to_string(PaymentEvent::Type type) {
    switch (type) {
        case PaymentEvent::Type::payment_succeeded:
            return "payment.succeeded";
        case PaymentEvent::Type::payment_failed:
            return "payment.failed";
        case PaymentEvent::Type::refund_succeeded:
            return "refund.succeeded";
    }
    return "payment.failed";
}

std::optional<PaymentEvent::Type> parse_payment_event_type(std::string_view text) {
    using Type = PaymentEvent::Type;
    for (const auto type : {Type::payment_succeeded, Type::payment_failed, Type::refund_succeeded})
        if (to_string(type) == text) return type;
    return std::nullopt;
}

std::string_view to_string(EventOutcome outcome) {
    switch (outcome) {
        case EventOutcome::captured:
            return "captured";
        case EventOutcome::refunded:
            return "refunded";
        case EventOutcome::failed:
            return "failed";
        case EventOutcome::noted:
            return "noted";
        case EventOutcome::repeated:
            return "repeated";
    }
    return "noted";
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
