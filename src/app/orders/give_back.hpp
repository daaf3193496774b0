#pragma once

#include "app/office/actor.hpp"
#include "app/purchase/hot_outbox.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/payment_ledger.hpp"

namespace sluice {

/// Gives back units of an order: in the ledger, in one transaction with a row of the hot outbox,
/// from which the hot copy learns of it.
class GiveBack {
  public:
    GiveBack(OrderLedger& ledger, PaymentLedger& payments, HotOutbox& outbox, const Clock& clock,
             IdSource& ids)
        : ledger_(ledger), payments_(payments), outbox_(outbox), clock_(clock), ids_(ids) {}

    /// Allowed while the order is pending. A second cancel changes nothing and succeeds.
    Task<Outcome<Order>> cancel(OrderId order, UserId buyer);

    /// Allowed while the order is paid. A second refund changes nothing and succeeds. The money is
    /// sent back later.
    Task<Outcome<Order>> refund(OrderId order, Actor actor);

    /// The money of a refund was sent back outside of this server. Returns the order. Refuses as
    /// PaymentLedger::note_sent_back does.
    Task<Outcome<OrderId>> note_sent_back(ChargeId refund, std::string at_work, Actor actor);

  private:
    Task<Order> conclude(OrderLedger::GivenBack given_back);

    OrderLedger& ledger_;
    PaymentLedger& payments_;
    HotOutbox& outbox_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
