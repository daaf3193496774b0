#pragma once

#include <array>

#include "domain/ids.hpp"
#include "domain/limit_scope.hpp"
#include "domain/session_token.hpp"
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
    /// Who asks, as far as it is known without waiting. An address has a count for each, so that
    /// strangers behind it do not use up what is there for those who are logged in.
    enum class Standing : unsigned char {
        known,      // by their session; and whoever asks on a route that needs none
        claiming,   // by a token of ours whose session is not in memory, and may have ended
        a_stranger  // on a route that needs a session
    };

    /// By route; an IPv6 address by its /64, which is what one household gets, and by its /48,
    /// which a household may get too. `nearest` becomes the address's headroom.
    bool address_too_fast(http::Exchange& exchange, Standing standing, Headroom& nearest);
    /// The address's headroom, for a request that was counted before.
    Headroom headroom_of_address(const http::Exchange& exchange, Standing standing) const;
    /// By route, as for one buyer: whoever claims a session that has ended uses up no more of the
    /// address than that.
    bool claim_too_fast(http::Exchange& exchange, const TokenHandle& handle);
    /// By route. `nearest` becomes the buyer's headroom, if that is nearer its bound.
    bool buyer_too_fast(http::Exchange& exchange, UserId buyer, Headroom& nearest);
    /// For all buying routes together.
    bool sale_is_full(http::Exchange& exchange);

  private:
    enum class Kind : unsigned char { address, site, buyer, sale, node, claim };

    bool site_is_full(http::Exchange& exchange, Standing standing) const;
    bool site_gets_full(http::Exchange& exchange, Standing standing, Headroom& nearest);
    std::optional<Quota> node_quota(const http::Exchange& exchange) const;
    std::uint64_t key_of(Kind kind, const void* who, std::size_t size,
                         const http::Exchange& exchange, Standing standing = Standing::known) const;
    std::uint64_t key_of(Kind kind, const Network& network, const http::Exchange& exchange,
                         Standing standing) const;
    RateLimiter::Count count(std::uint64_t key, const http::Exchange& exchange, Quota quota);

    const LimitScope& scope_;
    const RatesInForce& rates_;
    const HashKey hash_key_;
    RateLimiter limiter_;
    RateLimiter own_limiter_{1 << 10};  // for the node, and for a sale on it
};

}  // namespace sluice::gate
