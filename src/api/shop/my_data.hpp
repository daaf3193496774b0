#pragma once

#include "app/catalog/catalog.hpp"
#include "app/orders/contact_book.hpp"
#include "http/exchange.hpp"
#include "ports/delivery_ledger.hpp"
#include "ports/order_ledger.hpp"
#include "ports/user_ledger.hpp"

namespace sluice::api {

/// All that the shop keeps of a user, for the user: of any length, in pieces.
class MyData {
  public:
    struct Parts {
        UserLedger& users;
        OrderLedger& orders;
        DeliveryLedger& deliveries;
        ContactLedger& contacts;
        const Catalog& catalog;
    };
    explicit MyData(const Parts& parts) : parts_(parts) {}

    http::Pending download(http::Exchange& exchange);

  private:
    Task<> begin(http::Exchange& exchange);

    const Parts parts_;
};

}  // namespace sluice::api
