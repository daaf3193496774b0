#pragma once

#include <chrono>
#include <string_view>

#include "gate/rate_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::gate {

/// Where a caller stands with one rate limit.
struct Headroom {
    std::string_view policy;  // such as buyer or address; empty: nothing was counted
    Quota quota;
    RateLimiter::Count count;

    bool waits() const { return count.wait.count() > 0; }
    /// Less of the burst is left.
    bool is_nearer_its_bound_than(const Headroom& other) const;
};

/// RateLimit-Policy and RateLimit as draft-ietf-httpapi-ratelimit-headers has them: q requests in
/// w seconds; r of them left, all of them in t seconds, or, when none is, one more in t seconds.
void write_headroom(http::Response&, const Headroom&);

/// The same with Retry-After and the problem, for whoever has to wait.
void refuse(http::Exchange&, const Headroom&, http::Code);

}  // namespace sluice::gate
