#pragma once

#include <string>

#include "domain/block.hpp"
#include "domain/holds.hpp"
#include "domain/order.hpp"
#include "domain/payment.hpp"
#include "domain/webhook.hpp"

namespace sluice {

// What the audit trail says of a thing before and after a deed, as JSON, where a ledger decides it
// inside its transaction.

std::string deed_details(OrderState state);
std::string deed_details(const Delivery& delivery);

/// Money that an operator has sent back by hand.
struct SentBack {
    ChargeId refund;
    std::string provider;
    std::string charge_ref;
    std::int64_t amount_cents = 0;
    std::string currency;
};
std::string deed_details(const SentBack& money);

/// Holds that an operator has given back.
std::string deed_details(const BlockSubject& whose, const Held& held);

}  // namespace sluice
