#pragma once

#include <memory>

#include "app/catalog/catalog.hpp"
#include "app/passes/listed_buyers.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

/// Tells buyers whether they are on the list of a sale, before they try to buy.
class Listing {
  public:
    Listing(ListedBuyers& listed, const Catalog& catalog) : listed_(listed), catalog_(catalog) {}

    http::Pending show(http::Exchange& exchange);

  private:
    Task<> look_up(http::Exchange& exchange, std::shared_ptr<const DisplayedSale> displayed);

    ListedBuyers& listed_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
