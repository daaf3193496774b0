#pragma once

#include <optional>

#include "app/buyer_search.hpp"
#include "http/exchange.hpp"
#include "ports/order_list.hpp"

namespace sluice::api {

/// Which orders are asked for, and whose: BuyerSearch finds out who that is.
struct OrderWish {
    OrderList::Wanted orders;
    BuyerSearch::Wish whose;
};

/// What `?sale_id=`, `?state=`, `?buyer=`, `?phone=`, `?buyer_name=`, `?money=`, `?created_from=`
/// and `?created_to=` ask for. Answers with a problem when they make no sense.
std::optional<OrderWish> order_wish(http::Exchange&);

}  // namespace sluice::api
