#pragma once

#include <array>

#include "domain/ids.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"
#include "gate/rate_limiter.hpp"
#include "http/exchange.hpp"

namespace sluice::gate {

/// Whether a request comes too fast: for its address, its buyer, its sale or the node. The answer
/// is rate_limited if the caller was too fast, and busy if others have used up what everybody
/// shares. Each check returns true when the exchange holds such an answer; otherwise the request
/// has been counted.
class Speed {
  public:
    using HashKey = std::array<unsigned char, 16>;

    /// `shared`: with whom the counts of addresses and buyers are exchanged.
    Speed(const LimitScope& scope, const RatesInForce& rates, const HashKey& hash_key,
          CountExchange* shared = nullptr)
        : scope_(scope),
          rates_(rates),
          hash_key_(hash_key),
          limiter_(1 << 16, {.with = shared, .name = 'r', .quiet_below = 4}) {}

    /// For all requests of shoppers. Checked before anything else, but counted after the address
    /// was let through; otherwise one address could use up what everybody shares.
    bool node_is_full(http::Exchange& exchange) const;
    bool node_gets_full(http::Exchange& exchange);
    /// By route. An IPv6 address is counted by its /64, which one household gets, and by its /48,
    /// which a household may get too. `nearest` becomes the address's headroom.
    bool address_too_fast(http::Exchange& exchange, Headroom& nearest);
    /// The address's headroom, for a request that was counted before.
    Headroom headroom_of_address(const http::Exchange& exchange) const;
    /// By route. `nearest` becomes the buyer's headroom if that is nearer to its limit.
    bool buyer_too_fast(http::Exchange& exchange, UserId buyer, Headroom& nearest);
    /// For all buying routes together.
    bool sale_is_full(http::Exchange& exchange);

  private:
    enum class Kind : unsigned char { address, site, buyer, sale, node };

    bool site_is_full(http::Exchange& exchange) const;
    bool site_gets_full(http::Exchange& exchange, Headroom& nearest);
    std::optional<Quota> node_quota(const http::Exchange& exchange) const;
    std::uint64_t key_of(Kind kind, const void* who, std::size_t size,
                         const http::Exchange& exchange) const;
    RateLimiter::Count count(Kind kind, const void* who, std::size_t size,
                             const http::Exchange& exchange, Quota quota);

    const LimitScope& scope_;
    const RatesInForce& rates_;
    const HashKey hash_key_;
    RateLimiter limiter_;
    RateLimiter own_limiter_{1 << 10};  // for the node, and for a sale on it
};

}  // namespace sluice::gate
