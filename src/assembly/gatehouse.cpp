#include "assembly/gatehouse.hpp"

#include "api/routes.hpp"
#include "assembly/server_setup.hpp"

namespace sluice {

Gatehouse::Gatehouse(const Foundation& base, SessionStore& sessions)
    : rates(base.config.limits.rates),
      guess_limiter(base.limit_scope, base.keys.limits),
      speed(base.limit_scope, rates, base.keys.limits),
      files(web_root(base.config)),
      front_door(base.config, api::kRoutes, speed, base.tokens, sessions, files, block_list,
                 base.clock, base.log) {}

}  // namespace sluice
