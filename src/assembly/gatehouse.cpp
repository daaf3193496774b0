#include "assembly/gatehouse.hpp"

#include "api/routes.hpp"
#include "assembly/server_setup.hpp"
#include "gate/client_address.hpp"

namespace sluice {

Gatehouse::Gatehouse(const Parts& parts)
    : exchange_(parts.counts ? std::make_unique<gate::CountExchange>(*parts.counts) : nullptr),
      rates(parts.config.limits.rates),
      guess_limiter(parts.limit_scope, parts.limit_key, exchange()),
      speed(parts.limit_scope, rates, parts.limit_key, exchange()),
      files(web_root(parts.config)),
      front_door(parts.config, api::kRoutes, speed, parts.tokens, parts.sessions, files, block_list,
                 parts.clock, parts.log),
      config_(parts.config),
      limit_scope_(parts.limit_scope),
      clock_(parts.clock) {}

void Gatehouse::employ(Keeper& keeper) {
    if (!exchange_) return;
    keeper.employ("count_exchange", gate::CountExchange::kPace,
                  [this] { return exchange_->exchange(); });
}

bool Gatehouse::is_unbounded(const Address& address) const {
    // A proxy on this machine that the configuration does not name makes all clients come from one
    // address.
    const bool here = config_.http.connections_per_network == 0 && is_loopback(address);
    return here || limit_scope_.exempts(address) ||
           gate::is_trusted_proxy(address, config_.http.trusted_proxies);
}

bool Gatehouse::is_blocked(const Address& address) const {
    static const Address here_v4 = *Address::parse("127.0.0.1"), here_v6 = *Address::parse("::1");
    return block_list.holds(address, clock_.now()) && address != here_v4 && address != here_v6 &&
           !gate::is_trusted_proxy(address, config_.http.trusted_proxies);
}

}  // namespace sluice
