#pragma once

#include <filesystem>
#include <vector>

#include "base/timestamp.hpp"
#include "ports/auditor.hpp"

namespace sluice::sqlite {

class Database;

/// The promises that a backup breaks, including its archive if the connection reads one. The file
/// is checked as by a restore: throws RestoreError or SchemaError when it is not a whole ledger of
/// this program's schema.
std::vector<AuditReport::Check> find_broken_promises(Database& backup,
                                                     const std::filesystem::path& file,
                                                     Timestamp now);

/// The same for a file that is not open yet, and the archive beside it.
std::vector<AuditReport::Check> find_broken_promises(const std::filesystem::path& file,
                                                     Timestamp now);

}  // namespace sluice::sqlite
