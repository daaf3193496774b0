#include "http/exchange.hpp"

namespace sluice::http {

void Exchange::clear() {
    request.clear();
    response.clear();
    context = {};
    trace = {};
    by_https = false;
    route = nullptr;
    route_index = kNoRoute;
    parameters = {};
    screened = false;
    caller.reset();
    make_web_socket_handler = nullptr;
}

}  // namespace sluice::http
