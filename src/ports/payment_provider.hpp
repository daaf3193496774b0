#pragma once

#include <string_view>

#include "base/task.hpp"
#include "domain/payment.hpp"

namespace sluice {

/// Takes the buyers' money and sends it back. It reports what becomes of a payment by events, at
/// the webhook. A call that throws may still have been carried out: it is repeated with the same id
/// until it answers.
class PaymentProvider {
  public:
    virtual ~PaymentProvider() = default;

    virtual std::string_view name() const = 0;

    /// Makes the payment known to the provider, once for its id: a repeated call returns the same
    /// bill.
    virtual Task<Bill> start(Payment payment) = 0;

    struct RefundWish {
        PaymentId payment;
        Charge charge;
    };
    /// Returns when the provider has promised to send all of the charge back, once for its id.
    virtual Task<Done> refund(RefundWish wish) = 0;
};

}  // namespace sluice
