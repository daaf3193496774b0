#pragma once

#include <string>
#include <vector>

#include "adapters/sqlite/engine/connection.hpp"

struct sqlite3;

namespace sluice::sqlite {

/// Adds deed_hash(previous, fields...) to the connection, for the trigger that chains each deed to
/// the one before.
void add_deed_hash(sqlite3* connection);

/// Who breaks the chain, as TrailWalk says it.
std::vector<std::string> broken_links(Database& database);

}  // namespace sluice::sqlite
