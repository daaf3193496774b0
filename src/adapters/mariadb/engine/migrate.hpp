#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"

namespace sluice::mariadb {

/// This program may not use the database. Says why and what to do; nothing has been changed.
class SchemaError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct MigrationReport {
    std::vector<std::string> applied;  // names of the migrations, in order
    std::size_t version = 0;           // as it is now
};

/// Creates the database when it is absent and the user may do so, and applies the migrations that
/// it lacks. The server commits each statement by itself. Each statement can be run again, so a
/// migration that was interrupted is run again from its beginning. Throws SchemaError for a
/// database that verify_schema() would refuse for any other reason than its age, Outage when the
/// server cannot be used. May run in several processes at once: a lock of the server lets one work
/// at a time.
MigrationReport migrate(const ServerAddress& address);

/// Throws SchemaError unless the database is exactly what this program's migrations have made.
/// Objects that an administrator has added are ignored.
void verify_schema(Connection& connection);

/// As verify_schema(), but also while rows are being moved into the database.
void verify_objects(Connection& connection);

/// As long as this table exists, rows are being moved into the database, or that was interrupted:
/// nobody else may use it.
inline constexpr std::string_view kTransferTable = "sluice_transfer";

/// Whether there is a database of ours, migrated or not. Throws Outage.
bool has_ledger(const ServerAddress& address);

}  // namespace sluice::mariadb
