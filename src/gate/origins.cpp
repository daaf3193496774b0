#include "gate/origins.hpp"

#include <algorithm>

#include "base/web_url.hpp"
#include "gate/client_address.hpp"

namespace sluice::gate {

bool Origins::is_ours(const http::Request& request) const {
    const auto origin = request.header("Origin");
    if (origin.empty()) return request.header("Sec-Fetch-Site") == "same-origin";
    if (!public_url_.empty() && origin == public_url_) return true;
    const auto parts = UrlParts::split(origin);
    if (!parts || parts->authority != request.authority || !parts->rest.empty()) return false;
    // A page of our own host over plain http may come from anybody between the browser and us.
    return parts->scheme == scheme_of(request);
}

std::string_view Origins::scheme_of(const http::Request& request) const {
    if (is_trusted_proxy(request.peer, proxies_) && !request.header("X-Forwarded-Proto").empty())
        return came_over_tls(request, proxies_) ? "https" : "http";
    const auto own = UrlParts::split(public_url_);
    // We do not speak TLS ourselves. So unless a proxy or the configuration says otherwise, the
    // page came over plain http.
    return own && own->authority == request.authority ? own->scheme : "http";
}

bool Origins::is_foreign(const http::Request& request) const {
    const auto origin = request.header("Origin");
    if (!origin.empty()) return !is_ours(request) && !is_listed(origin);
    const auto site = request.header("Sec-Fetch-Site");
    return site == "cross-site" || site == "same-site";
}

void Origins::mark(http::Exchange& exchange) const {
    if (others_.empty()) return;
    exchange.response.add_header("Vary", "Origin");
    const auto origin = exchange.request.header("Origin");
    if (!is_listed(origin)) return;
    exchange.response.add_header("Access-Control-Allow-Origin", origin);
    exchange.response.add_header("Access-Control-Expose-Headers",
                                 "Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, "
                                 "X-Request-Id");
}

bool Origins::answer_preflight(http::Exchange& exchange, std::string_view allowed_methods) const {
    const auto& request = exchange.request;
    if (!is_listed(request.header("Origin")) ||
        request.header("Access-Control-Request-Method").empty())
        return false;
    mark(exchange);
    auto& response = exchange.response;
    response.add_header("Access-Control-Allow-Methods", allowed_methods);
    response.add_header("Access-Control-Allow-Headers",
                        "Authorization, Content-Type, Idempotency-Key, Prefer, traceparent");
    response.add_header("Access-Control-Max-Age", "600");
    response.status = 204;
    return true;
}

bool Origins::is_listed(std::string_view origin) const {
    return std::ranges::find(others_, origin) != others_.end();
}

}  // namespace sluice::gate
