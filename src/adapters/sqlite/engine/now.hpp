#pragma once

#include "adapters/sqlite/engine/connection.hpp"
#include "ports/clock.hpp"

namespace sluice::sqlite {

/// From now on julianday('now'), by which the schema dates webhook events, is this clock's time on
/// this connection. Elsewhere, such as in the sqlite3 shell, it is the system's time, so the
/// triggers work there too. The clock outlives the connection.
void use_as_now(Database& database, const Clock& clock);

}  // namespace sluice::sqlite
