#include "assembly/gatehouse.hpp"

#include "api/routes.hpp"
#include "assembly/server_setup.hpp"

namespace sluice {

Gatehouse::Gatehouse(const Parts& parts)
    : rates(parts.config.limits.rates),
      guess_limiter(parts.limit_scope, parts.limit_key),
      speed(parts.limit_scope, rates, parts.limit_key),
      files(web_root(parts.config)),
      front_door(parts.config, api::kRoutes, speed, parts.tokens, parts.sessions, files, block_list,
                 parts.clock, parts.log) {}

}  // namespace sluice
