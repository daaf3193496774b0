#pragma once

#include "app/catalog.hpp"
#include "app/order_export.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Orders as a table for spreadsheets, however many there are: each page is made when the client
/// has taken the one before.
class OrdersCsv {
  public:
    OrdersCsv(OrderExport& orders, const Catalog& catalog) : export_(orders), catalog_(catalog) {}

    http::Pending download(http::Exchange& exchange);

  private:
    Task<> begin(http::Exchange& exchange, OrderList::Wanted wanted);

    OrderExport& export_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
