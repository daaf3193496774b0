#pragma once

#include "app/catalog/catalog.hpp"
#include "app/orders/holds_desk.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Unpaid holds of a sale, and who lets holds lapse repeatedly.
class AdminHolds {
  public:
    AdminHolds(HoldsDesk& desk, const Catalog& catalog) : desk_(desk), catalog_(catalog) {}

    http::Pending show(http::Exchange& exchange);
    http::Pending give_back(http::Exchange& exchange);

  private:
    Task<> look(http::Exchange& exchange, SaleId sale);
    Task<> carry_out(http::Exchange& exchange, HoldsDesk::Wish wish);

    HoldsDesk& desk_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
