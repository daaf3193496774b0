#pragma once

#include "api/office/order_filter.hpp"
#include "app/catalog/catalog.hpp"
#include "app/orders/buyer_search.hpp"
#include "app/orders/order_export.hpp"
#include "http/exchange.hpp"
#include "ports/contact_ledger.hpp"

namespace sluice::api {

/// Orders as a table for spreadsheets, of any length: each page is made when the client has taken
/// the one before.
class OrdersCsv {
  public:
    OrdersCsv(OrderExport& orders, BuyerSearch& buyers, ContactLedger& contacts,
              const Catalog& catalog)
        : export_(orders), buyers_(buyers), contacts_(contacts), catalog_(catalog) {}

    http::Pending download(http::Exchange& exchange);

  private:
    Task<> begin(http::Exchange& exchange, OrderWish wish);

    OrderExport& export_;
    BuyerSearch& buyers_;
    ContactLedger& contacts_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
