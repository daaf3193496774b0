#pragma once

#include "adapters/mariadb/engine/connection.hpp"
#include "config/config.hpp"

namespace sluice {

/// Where the ledger's server is and who we are there; reads the password from its file. Throws
/// DataError when that cannot be read.
mariadb::ServerAddress mariadb_address(const Config& config);

/// For what only the SQLite ledger can do so far: throws DataError on MariaDB, with `instead`.
void expect_sqlite(const Config& config, const std::string& what, const std::string& instead);

}  // namespace sluice
