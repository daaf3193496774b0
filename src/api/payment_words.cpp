#include "api/payment_words.hpp"

#include <algorithm>

namespace sluice::api {
namespace {

constexpr std::string_view kOwed = "refund_owed";

}  // namespace

std::string_view shown_outcome(std::string_view stored) {
    return stored == to_string(EventOutcome::refunded) ? kOwed : stored;
}

std::string_view shown_state(const Payment& payment,
                             const std::vector<PaymentLedger::History::Money>& money) {
    const bool owes = std::ranges::any_of(money, [&](const auto& each) {
        return each.payment == payment.id && each.refund && !each.refund->done_at;
    });
    return owes && payment.state == PaymentState::refunded ? kOwed : to_string(payment.state);
}

}  // namespace sluice::api
