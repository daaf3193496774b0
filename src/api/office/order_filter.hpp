#pragma once

#include <optional>

#include "app/orders/buyer_search.hpp"
#include "http/exchange.hpp"
#include "ports/order_list.hpp"

namespace sluice::api {

/// Which orders are asked for, and by which properties of the buyer, whom BuyerSearch looks up.
struct OrderWish {
    OrderList::Wanted orders;
    BuyerSearch::Wish whose;
};

/// Reads `?sale_id=`, `?state=`, `?buyer=`, `?phone=`, `?buyer_name=`, `?money=`, `?delivery=`,
/// `?created_from=` and `?created_to=`. Answers with a problem when they are not valid.
std::optional<OrderWish> order_wish(http::Exchange&);

}  // namespace sluice::api
