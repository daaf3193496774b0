#include "domain/order_rules.hpp"

namespace sluice {

Outcome<Step> judge_cancel(const Order& order, Timestamp now) {
    if (order.state == OrderState::cancelled) return Step::stands;
    if (!is_pending_at(order, now)) return refuse(Reason::conflict, Detail::not_pending);
    return Step::write;
}

Outcome<Step> judge_refund(const Order& order) {
    if (order.state == OrderState::refunded) return Step::stands;
    if (order.state != OrderState::paid) return refuse(Reason::conflict, Detail::not_paid);
    return Step::write;
}

bool can_expire(std::int64_t quantity, std::int64_t held_in_sale) {
    return quantity > 0 && quantity <= held_in_sale;
}

std::optional<Timestamp> unpaid_wait_until(const UnpaidHolds& unpaid, const Sale& sale) {
    if (unpaid.count < sale.unpaid_limit || !unpaid.latest) return std::nullopt;
    const auto first = std::max(kLeastUnpaidWait, std::chrono::seconds{sale.hold_seconds});
    const auto doubled = std::min<std::int64_t>(unpaid.count - sale.unpaid_limit, 20);
    return *unpaid.latest + std::min(first * (1 << doubled), kMostUnpaidWait);
}

std::optional<Refusal> why_not_payable(const Order& order, const PaymentFacts& payments,
                                       Timestamp now) {
    if (!is_pending_at(order, now)) return Refusal{Reason::conflict, Detail::not_payable};
    if (!payments.has_open && payments.count >= kMostPayments)
        return Refusal{Reason::conflict, Detail::too_many_payments};
    return std::nullopt;
}

}  // namespace sluice
