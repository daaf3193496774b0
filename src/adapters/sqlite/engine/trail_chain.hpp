#pragma once

#include <array>
#include <string>
#include <vector>

#include "adapters/sqlite/engine/connection.hpp"
#include "domain/deed.hpp"

struct sqlite3;

namespace sluice::sqlite {

using DeedHash = std::array<unsigned char, 32>;

/// BLAKE2b over the hash before and every field, each text with its length: no two deeds are
/// written the same. os_user comes last and only if there is one, so that the hashes from before it
/// existed stay valid. The first deed follows 32 zero bytes.
DeedHash hash_of(const DeedHash& previous, const Deed& deed);

/// Adds deed_hash(previous, fields...) to the connection, for the trigger that chains each deed to
/// the one before.
void add_deed_hash(sqlite3* connection);

/// Who breaks the chain: a deed that was changed, removed or put in. What nobody can tell from the
/// data is that the latest deeds were cut off together with their links.
std::vector<std::string> broken_links(Database& database);

}  // namespace sluice::sqlite
