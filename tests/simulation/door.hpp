#pragma once

#include <set>
#include <string>

#include "api/office/admin_sales.hpp"
#include "api/shop/shop_window.hpp"
#include "assembly/checkout.hpp"
#include "gate/front_door.hpp"
#include "simulation/plants.hpp"

namespace sluice::simulation {

/// A session that every process knows: user 1 is an operator, all others buy.
const std::string& token_of(UserId user);

/// The API of one process: the real front door, routes and handlers, without sockets. Rates are off
/// here, since PlantedLimiter tests them separately.
class Door {
  public:
    struct Parts {
        PurchaseLine& line;
        const Catalog& catalog;
        StockGate& gate;
        OrderLedger& orders;
        Random& random;
        const Clock& clock;
        Plant plant;
    };
    explicit Door(const Parts& parts);

    http::Pending serve(http::Exchange& exchange) { return front_door_.serve(exchange); }

  private:
    /// With the bug that an answer is remembered, if `plant` is that one.
    http::Handler remembering(http::Code code, Plant plant, http::Handler handler);

    const Plant plant_;
    std::set<std::string> remembered_;
    Checkout checkout_;
    const api::Receipts receipts_;
    api::ShopWindow window_;
    api::AdminSales admin_sales_;
    gate::FrontDoor front_door_;
};

}  // namespace sluice::simulation
