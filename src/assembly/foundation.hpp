#pragma once

#include "adapters/system/keys.hpp"
#include "adapters/system/shop_clock.hpp"
#include "app/password_hasher.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "domain/limit_scope.hpp"
#include "observe/log.hpp"
#include "ports/ledgers.hpp"
#include "ports/random.hpp"

namespace sluice {

/// What every assembly may use. It outlives them.
struct Foundation {
    const Config& config;
    Ledgers& ledgers;
    ShopClock& clock;
    Random& random;
    const Keys& keys;
    const SessionTokens& tokens;
    IdSource& ids;
    PasswordHasher& hasher;
    LimitScope& limit_scope;
    Log& log;
};

}  // namespace sluice
