#include "app/orders/hear_payment.hpp"

namespace sluice {

Task<Outcome<EventOutcome>> HearPayment::hear(PaymentEvent event) {
    const auto now = clock_.now();
    event.charge.id = ChargeId{ids_.next(now)};
    const auto payment = event.payment;
    const auto charge = event.charge.id;
    const auto taken = co_await ledger_.take(std::move(event), now);
    if (!taken) co_return std::unexpected(taken.error());
    if (taken->outcome == EventOutcome::refunded)
        log_.warn("payment.refund_owed", {{"payment", payment.text()},
                                          {"order", taken->order->text()},
                                          {"refund", charge.text()}});
    if (taken->returned) co_await outbox_.catch_up(*taken->returned);
    co_return taken->outcome;
}

}  // namespace sluice
