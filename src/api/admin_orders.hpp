#pragma once

#include "app/catalog.hpp"
#include "app/give_back.hpp"
#include "http/exchange.hpp"
#include "ports/order_list.hpp"

namespace sluice::api {

/// Anybody's orders, with all that is known of their money.
class AdminOrders {
  public:
    AdminOrders(OrderList& list, PaymentLedger& ledger, GiveBack& give_back, const Catalog& catalog)
        : list_(list), ledger_(ledger), give_back_(give_back), catalog_(catalog) {}

    http::Pending list(http::Exchange& exchange);
    http::Pending show(http::Exchange& exchange);
    http::Pending refund(http::Exchange& exchange);

  private:
    Task<> show_page(http::Exchange& exchange, OrderList::Wanted wanted);
    Task<> look_up(http::Exchange& exchange, OrderId id);
    Task<> carry_out_refund(http::Exchange& exchange, OrderId id);

    OrderList& list_;
    PaymentLedger& ledger_;
    GiveBack& give_back_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
