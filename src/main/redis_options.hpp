#pragma once

#include "adapters/redis/options.hpp"
#include "config/config.hpp"

namespace sluice {

/// How Redis is reached, by a configuration whose hot.kind is redis. Throws DataError when the
/// password cannot be read.
redis::Options redis_options(const Config::Hot& hot);

}  // namespace sluice
