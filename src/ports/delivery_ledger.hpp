#pragma once

#include <map>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/order_delivery.hpp"

namespace sluice {

/// How far orders are on their way to their buyers. May throw Outage, as UserLedger.
class DeliveryLedger {
  public:
    virtual ~DeliveryLedger() = default;

    /// Orders without a delivery are left out. Its cost follows the number of orders.
    virtual Task<std::map<OrderId, OrderDelivery>> find(std::vector<OrderId> orders) = 0;

    /// Changes it by change_delivery(), on the order and the delivery as they are. Writes the deed,
    /// with the delivery before and after, unless nothing changes. Refuses as that does, and with
    /// not_found when there is no such order. May be repeated.
    virtual Task<Outcome<OrderDelivery>> change(OrderId order, OrderDeliveryWish wish,
                                                Deed deed) = 0;
};

}  // namespace sluice
