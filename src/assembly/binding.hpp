#pragma once

#include <functional>
#include <string_view>

#include "http/exchange.hpp"

namespace sluice {

/// Gives a route its handler.
using Bind = std::function<void(std::string_view route, http::Handler handler)>;

/// A method as a handler.
template <class Api>
http::Handler to(Api& api, http::Pending (Api::*method)(http::Exchange&)) {
    return [&api, method](http::Exchange& exchange) { return (api.*method)(exchange); };
}

}  // namespace sluice
