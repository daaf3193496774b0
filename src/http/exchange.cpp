#include "http/exchange.hpp"

namespace sluice::http {

void Exchange::clear() {
    request.clear();
    response.clear();
    context = {};
    trace = {};
    route = nullptr;
    route_index = kNoRoute;
    parameters = {};
    screened = false;
    caller.reset();
    web_socket_handler.reset();
}

}  // namespace sluice::http
