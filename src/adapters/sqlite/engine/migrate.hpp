#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::sqlite {

class Database;

/// This program may not use the database. Says why and what to do; the file has been left as it
/// was.
class SchemaError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct MigrationReport {
    std::vector<std::string> applied;  // names of the migrations, in order
    std::size_t version = 0;           // as it is now
};

/// Creates the database (mode 0600) when it is absent and applies the migrations that it lacks,
/// each in one transaction. Throws SchemaError for a database that verify_schema() would refuse for
/// any other reason than its age, Outage when the file cannot be used. May run in several processes
/// at once.
MigrationReport migrate(const std::filesystem::path& file);

/// Whether all of this program's migrations are noted, and no others.
bool has_all_migrations(Database&);

/// Throws SchemaError unless the database is exactly what this program's migrations make. Objects
/// that an administrator has added are ignored.
void verify_schema(Database&);

}  // namespace sluice::sqlite
