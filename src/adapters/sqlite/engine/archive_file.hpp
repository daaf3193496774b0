#pragma once

#include <filesystem>

#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

/// The archive's file, beside the ledger's.
std::filesystem::path archive_of(const std::filesystem::path& ledger);

/// Brings the archive up to date, if there is one. Throws as migrate() does.
void migrate_archive(const std::filesystem::path& ledger);

/// Makes ledger.archive() use this file: the archive of a copy is elsewhere. Throws ArchiveAway.
void read_archive_from(Database& ledger, const std::filesystem::path& file);

}  // namespace sluice::sqlite
