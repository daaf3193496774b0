#pragma once

#include "app/actor.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/payment_ledger.hpp"

namespace sluice {

/// The ways units return: first in the ledger, in one transaction, and then in the
/// hot copy. A crash between the two loses nothing, since the copy is rebuilt from the ledger.
class GiveBack {
  public:
    GiveBack(OrderLedger& ledger, PaymentLedger& payments, StockGate& gate, const Clock& clock,
             IdSource& ids)
        : ledger_(ledger), payments_(payments), gate_(gate), clock_(clock), ids_(ids) {}

    /// While the order is pending; cancelling twice is cancelling.
    Task<Outcome<Order>> cancel(OrderId order, UserId buyer);

    /// While the order is paid; refunding twice is refunding. The money follows.
    Task<Outcome<Order>> refund(OrderId order, Actor actor);

    /// The money of a refund was sent back outside. Returns the order. Refuses as
    /// PaymentLedger::note_sent_back does.
    Task<Outcome<OrderId>> note_sent_back(ChargeId refund, std::string at_work, Actor actor);

  private:
    Task<Order> tell_gate(OrderLedger::GivenBack given_back);

    OrderLedger& ledger_;
    PaymentLedger& payments_;
    StockGate& gate_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
