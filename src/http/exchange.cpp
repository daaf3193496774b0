#include "http/exchange.hpp"

namespace sluice::http {

void Exchange::clear() {
    request.clear();
    response.clear();
    manner = {};
    trace = {};
    route = nullptr;
    route_index = kNoRoute;
    parameters = {};
    caller.reset();
    talk.reset();
}

}  // namespace sluice::http
