#pragma once

#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/payment_ledger.hpp"
#include "ports/payment_provider.hpp"

namespace sluice {

/// Begins payments. The ledger has a payment before the provider is told of it, so that no event
/// can be about an unknown payment. A crash between the two leaves the payment open, and whoever
/// asks again gets the same one.
class Pay {
  public:
    /// Without a provider nothing can be paid here.
    Pay(PaymentLedger& ledger, PaymentProvider* provider, const Clock& clock, IdSource& ids)
        : ledger_(ledger), provider_(provider), clock_(clock), ids_(ids) {}

    struct Begun {
        Payment payment;  // with its bill
        bool kept;        // the ledger has the bill
    };
    /// The order's open payment, begun now if there is none.
    Task<Outcome<Begun>> begin(OrderId order, UserId buyer);

    /// Writes the result of begin() into the ledger, with the receipt of the request.
    Task<Outcome<Created>> keep(Begun begun, std::optional<Receipt> receipt);

  private:
    PaymentLedger& ledger_;
    PaymentProvider* const provider_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
