#pragma once

#include <optional>

#include "http/exchange.hpp"
#include "ports/order_list.hpp"

namespace sluice::api {

/// Which orders `?sale_id=`, `?state=`, `?buyer=`, `?money=`, `?created_from=` and `?created_to=`
/// ask for. Answers with a problem when they make no sense.
std::optional<OrderList::Wanted> wanted_orders(http::Exchange&);

}  // namespace sluice::api
