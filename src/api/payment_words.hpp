#pragma once

#include <string_view>
#include <vector>

#include "ports/payment_ledger.hpp"

namespace sluice::api {

/// The ledgers write `refunded` for money that cannot pay its order as soon as they are told of it.
/// The buyer has the money only when the refund is done, so until then the API says `refund_owed`.

/// The outcome of an event, by its stored name. It is as of the event's time: a refund was only
/// owed then.
std::string_view shown_outcome(std::string_view stored);

/// `money` of the payment's order.
std::string_view shown_state(const Payment& payment,
                             const std::vector<PaymentLedger::History::Money>& money);

}  // namespace sluice::api
