#pragma once

struct sqlite3;

namespace sluice::sqlite {

/// Adds deed_hash(previous, fields...) to the connection, for the trigger that chains each deed to
/// the one before.
void add_deed_hash(sqlite3* connection);

}  // namespace sluice::sqlite
