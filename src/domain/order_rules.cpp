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
    return quantity <= held_in_sale;
}

std::optional<Refusal> why_not_payable(const Order& order, std::size_t payments, std::size_t most,
                                       Timestamp now) {
    if (!is_pending_at(order, now)) return Refusal{Reason::conflict, Detail::not_payable};
    if (payments >= most) return Refusal{Reason::conflict, Detail::too_many_payments};
    return std::nullopt;
}

}  // namespace sluice
