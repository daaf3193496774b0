#pragma once

#include <boost/json/object.hpp>

#include "app/catalog/catalog.hpp"
#include "app/orders/give_back.hpp"
#include "app/purchase/absences.hpp"
#include "http/exchange.hpp"
#include "ports/delivery_ledger.hpp"

namespace sluice::api {

/// A buyer's own orders.
class Orders {
  public:
    Orders(OrderLedger& ledger, DeliveryLedger& deliveries, GiveBack& give_back, Absences& absences,
           const Catalog& catalog)
        : ledger_(ledger),
          deliveries_(deliveries),
          give_back_(give_back),
          absences_(absences),
          catalog_(catalog) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending cancel(http::Exchange& exchange);

  private:
    std::optional<OrderId> order_in_path(http::Exchange& exchange) const;
    void refuse_as_absent(http::Exchange& exchange);
    Task<> show_page(http::Exchange& exchange, std::optional<OrderId> before, std::size_t limit);
    Task<> look_up(http::Exchange& exchange, OrderId id);
    Task<> carry_out_cancel(http::Exchange& exchange, OrderId id);

    OrderLedger& ledger_;
    DeliveryLedger& deliveries_;
    GiveBack& give_back_;
    Absences& absences_;
    const Catalog& catalog_;
};

/// An order as its buyer sees it.
boost::json::object order_json(const Order& order, const Catalog& catalog);

/// Adds nothing as long as nothing was done: the order is then as in news and in the answer to its
/// purchase.
void add_delivery(boost::json::object& order, const OrderDelivery& delivery);

}  // namespace sluice::api
