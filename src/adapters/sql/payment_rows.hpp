#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.hpp"
#include "domain/deed_details.hpp"
#include "domain/payment.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/sandbox_ledger.hpp"

namespace sluice {

struct BillRow {
    std::string ref;
    std::string url;
};

struct PaymentRow {
    PaymentId id;
    OrderId order;
    std::string provider;
    std::int64_t amount_cents = 0;
    std::string currency;
    PaymentState state = PaymentState::pending;
    std::optional<BillRow> bill;
    Timestamp created_at;
};
Payment to_payment(PaymentRow row);
PaymentRow to_row(const Payment& payment);

struct ChargeRow {
    ChargeId id;
    std::string ref;
    std::int64_t amount_cents = 0;
    std::string currency;
};
Charge to_charge(ChargeRow row);

struct RefundRow {
    std::string reason;
    Timestamp owed_at;
    std::int64_t attempts = 0;
    std::optional<Timestamp> done_at;
    bool by_hand = false;
};

/// A charge, with its refund if there is one.
struct MoneyRow {
    ChargeRow charge;
    PaymentId payment;
    std::string provider;
    bool captures = false;
    Timestamp at;
    std::optional<RefundRow> refund;
};
PaymentLedger::History::Money to_money(MoneyRow row);

struct PaymentEventRow {
    std::string id;
    PaymentId payment;
    std::string type;
    std::string outcome;
    Timestamp at;
};
PaymentLedger::History::Event to_event(PaymentEventRow row);

struct OwedRefundRow {
    PaymentId payment;
    ChargeRow charge;
    std::int64_t attempts = 0;
};
PaymentLedger::OwedRefund to_owed_refund(OwedRefundRow row);

/// A refund whose money an operator has reported as sent back.
struct SentBackRow {
    OrderId order;
    std::string provider;
    std::int64_t attempts = 0;
    bool done = false;
    ChargeRow charge;
};
SentBack to_sent_back(SentBackRow row);

struct SandboxAccountRow {
    std::string ref;
    PaymentId payment;
    std::int64_t amount_cents = 0;
    std::string currency;
    bool paid = false;
    std::int64_t presses = 0;
};
SandboxLedger::Account to_sandbox_account(SandboxAccountRow row);

struct LetterRow {
    LetterId id;
    std::string body;
    Timestamp due_at;
    std::int64_t attempts = 0;
};
SandboxLedger::Letter to_letter(LetterRow row);

}  // namespace sluice
