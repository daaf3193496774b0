#pragma once

#include <chrono>
#include <string_view>

#include "gate/rate_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::gate {

/// How much of one rate limit a caller has left.
struct Headroom {
    std::string_view policy;  // such as buyer or address; empty: nothing was counted
    Quota quota;
    RateLimiter::Count count;

    bool waits() const { return count.wait.count() > 0; }
    /// Whether less of the burst is left.
    bool is_nearer_its_bound_than(const Headroom& other) const;
};

/// RateLimit-Policy and RateLimit as in draft-ietf-httpapi-ratelimit-headers: q requests in w
/// seconds; r of them are left, and all of them again in t seconds; if none is left, one more in t
/// seconds.
void write_headroom(http::Response&, const Headroom&);

/// The same with Retry-After and the problem, for a caller who has to wait.
void refuse(http::Exchange&, const Headroom&, http::Code);

}  // namespace sluice::gate
