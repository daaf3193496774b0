#include "adapters/sql/payment_rows.hpp"

#include <utility>

namespace sluice {

Payment to_payment(PaymentRow row) {
    Payment payment{.id = row.id,
                    .order = row.order,
                    .provider = std::move(row.provider),
                    .amount_cents = row.amount_cents,
                    .currency = std::move(row.currency),
                    .state = row.state,
                    .bill = std::nullopt,
                    .created_at = row.created_at};
    if (row.bill) payment.bill = Bill{std::move(row.bill->ref), std::move(row.bill->url)};
    return payment;
}

PaymentRow to_row(const Payment& payment) {
    PaymentRow row{.id = payment.id,
                   .order = payment.order,
                   .provider = payment.provider,
                   .amount_cents = payment.amount_cents,
                   .currency = payment.currency,
                   .state = payment.state,
                   .bill = std::nullopt,
                   .created_at = payment.created_at};
    if (payment.bill) row.bill = BillRow{payment.bill->ref, payment.bill->url};
    return row;
}

Charge to_charge(ChargeRow row) {
    return {.id = row.id,
            .ref = std::move(row.ref),
            .amount_cents = row.amount_cents,
            .currency = std::move(row.currency)};
}

PaymentLedger::History::Money to_money(MoneyRow row) {
    PaymentLedger::History::Money money{.charge = to_charge(std::move(row.charge)),
                                        .payment = row.payment,
                                        .provider = std::move(row.provider),
                                        .captures = row.captures,
                                        .at = row.at,
                                        .refund = std::nullopt};
    if (row.refund)
        money.refund = {.reason = std::move(row.refund->reason),
                        .owed_at = row.refund->owed_at,
                        .attempts = row.refund->attempts,
                        .done_at = row.refund->done_at,
                        .by_hand = row.refund->by_hand};
    return money;
}

PaymentLedger::History::Event to_event(PaymentEventRow row) {
    return {.id = std::move(row.id),
            .payment = row.payment,
            .type = std::move(row.type),
            .outcome = std::move(row.outcome),
            .at = row.at};
}

PaymentLedger::OwedRefund to_owed_refund(OwedRefundRow row) {
    return {.payment = row.payment,
            .charge = to_charge(std::move(row.charge)),
            .attempts = row.attempts};
}

SentBack to_sent_back(SentBackRow row) {
    return {.refund = row.charge.id,
            .provider = std::move(row.provider),
            .charge_ref = std::move(row.charge.ref),
            .amount_cents = row.charge.amount_cents,
            .currency = std::move(row.charge.currency)};
}

SandboxLedger::Account to_sandbox_account(SandboxAccountRow row) {
    return {.ref = std::move(row.ref),
            .payment = row.payment,
            .amount_cents = row.amount_cents,
            .currency = std::move(row.currency),
            .paid = row.paid};
}

SandboxLedger::Letter to_letter(LetterRow row) {
    return {
        .id = row.id, .body = std::move(row.body), .due_at = row.due_at, .attempts = row.attempts};
}

}  // namespace sluice
