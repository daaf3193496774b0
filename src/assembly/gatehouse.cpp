#include "assembly/gatehouse.hpp"

#include "api/routes.hpp"
#include "assembly/server_setup.hpp"
#include "gate/client_address.hpp"

namespace sluice {

Gatehouse::Gatehouse(const Foundation& base, SessionStore& sessions)
    : rates(base.config.limits.rates),
      guess_limiter(base.limit_scope, base.keys.limits),
      speed(base.limit_scope, rates, base.keys.limits),
      files(web_root(base.config)),
      front_door(base.config, api::kRoutes, speed, base.tokens, sessions, files, block_list,
                 base.clock, base.log),
      config_(base.config),
      limit_scope_(base.limit_scope) {}

bool Gatehouse::is_unbounded(const Address& address) const {
    // A proxy on this machine that nobody has named brings everybody from one address.
    const bool here = config_.http.connections_per_network == 0 && is_loopback(address);
    return here || limit_scope_.exempts(address) ||
           gate::is_trusted_proxy(address, config_.http.trusted_proxies);
}

}  // namespace sluice
