#pragma once

#include "app/purchase/hot_outbox.hpp"
#include "base/id_source.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/payment_ledger.hpp"

namespace sluice {

/// Handles what a provider reports about a payment. The event's signature has been checked.
class HearPayment {
  public:
    HearPayment(PaymentLedger& ledger, HotOutbox& outbox, const Clock& clock, IdSource& ids,
                Log& log)
        : ledger_(ledger), outbox_(outbox), clock_(clock), ids_(ids), log_(log) {}

    Task<Outcome<EventOutcome>> hear(PaymentEvent event);

  private:
    PaymentLedger& ledger_;
    HotOutbox& outbox_;
    const Clock& clock_;
    IdSource& ids_;
    Log& log_;
};

}  // namespace sluice
