#pragma once

#include <filesystem>

#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

/// The archive's file, which stands beside the ledger's.
std::filesystem::path archive_of(const std::filesystem::path& ledger);

/// Brings the archive up to date, if there is one. Throws as migrate() does.
void migrate_archive(const std::filesystem::path& ledger);

/// Has ledger.archive() give this file: the archive of a copy stands elsewhere. Throws ArchiveAway.
void read_archive_from(Database& ledger, const std::filesystem::path& file);

}  // namespace sluice::sqlite
