#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/transfer/told.hpp"
#include "base/timestamp.hpp"
#include "domain/deed.hpp"
#include "ports/auditor.hpp"

namespace sluice::transfer {

struct Dumped {
    std::int64_t rows = 0;
    std::vector<AuditReport::Check> broken;  // promises that do not hold
};

/// The files of a copy. The archive's is made when sales are archived.
struct DumpFiles {
    std::filesystem::path ledger;
    std::filesystem::path archive;
};
/// As `sluice backup` names them.
DumpFiles backup_files(const std::filesystem::path& backup);

/// Writes the MariaDB ledger, as of one instant, into a SQLite ledger (mode 0600) with its archive,
/// while others write. The files get their names only when they are complete, audited and on disk,
/// the archive first. An existing target is refused. If it is killed, files with ".partial" after
/// their names are left, which the next dump refuses to overwrite. `finish` makes the last change
/// to the ledger's copy. Throws TransferError, SchemaError or Outage; nothing is left behind then.
Dumped dump(
    const mariadb::ServerAddress& from, const DumpFiles& to, Timestamp now, const Told& told,
    const std::function<void(sqlite::Database&, const Dumped&)>& finish = [](sqlite::Database&,
                                                                             const Dumped&) {});

/// Makes the copy a ledger of its own: with another name, and with this deed as its last.
void take_over(sqlite::Database& copy, const Deed& deed);

}  // namespace sluice::transfer
