#pragma once

#include "adapters/mariadb/engine/connection.hpp"
#include "config/config.hpp"

namespace sluice {

/// Where the ledger's server is and how we log in there; reads the password from its file. Throws
/// DataError when that cannot be read.
mariadb::ServerAddress mariadb_address(const Config& config);

}  // namespace sluice
