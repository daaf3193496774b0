#include "assembly/latest_catalog.hpp"

#include <utility>

namespace sluice {

Bind LatestCatalog::before(Bind bind) {
    return [this, bind = std::move(bind)](std::string_view route, http::Handler handler) {
        bind(route, [this, handler = std::move(handler)](http::Exchange& exchange) {
            return http::Pending(catch_up_and_call(exchange, handler));
        });
    };
}

Task<> LatestCatalog::catch_up_and_call(http::Exchange& exchange, const http::Handler& handler) {
    co_await follower_.catch_up();
    if (auto pending = handler(exchange)) co_await std::move(*pending);
}

}  // namespace sluice
