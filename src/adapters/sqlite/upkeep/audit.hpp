#pragma once

#include <filesystem>

#include "adapters/sql/ledgers/audit.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "ports/auditor.hpp"

namespace sluice::sqlite {

/// ledgers::audit(), in a read transaction of its own. Throws Error.
Outcome<AuditReport> audit(Database&, std::optional<SaleId> sale, Timestamp now);

// Where a server notes the newest order on record, and where it keeps a sentence about a ledger
// that has lost its end. Neither is valid for another ledger.
std::filesystem::path mark_file_of(const std::filesystem::path& database);
std::filesystem::path loss_file_of(const std::filesystem::path& database);

/// The same for a file that is not open yet, and which is left as it is. Throws SchemaError or
/// Outage.
Outcome<AuditReport> audit(const std::filesystem::path& file, std::optional<SaleId> sale,
                           Timestamp now);

}  // namespace sluice::sqlite
