#pragma once

#include "app/office/actor.hpp"
#include "ports/clock.hpp"
#include "ports/delivery_ledger.hpp"

namespace sluice {

/// What staff do about the delivery of orders.
class DeliveryDesk {
  public:
    DeliveryDesk(DeliveryLedger& ledger, const Clock& clock, IdSource& ids)
        : ledger_(ledger), clock_(clock), ids_(ids) {}

    /// The delivery as it is then. The same again changes nothing. Refuses as
    /// DeliveryLedger::change() does. May throw Outage.
    Task<Outcome<OrderDelivery>> change(OrderId order, OrderDeliveryWish wish, Actor actor);

  private:
    DeliveryLedger& ledger_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
