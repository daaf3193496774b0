#pragma once

#include <string_view>
#include <vector>

#include "ports/payment_ledger.hpp"

namespace sluice::api {

/// The ledgers write `refunded` for money that cannot pay its order, as soon as they hear of it. It
/// is the buyer's only when the refund is done, so until then we tell everybody `refund_owed`.

/// What came of an event, by its stored name. It was so when the event came: no more than owed.
std::string_view told_outcome(std::string_view stored);

/// `money` of the payment's order.
std::string_view told_state(const Payment& payment,
                            const std::vector<PaymentLedger::History::Money>& money);

}  // namespace sluice::api
