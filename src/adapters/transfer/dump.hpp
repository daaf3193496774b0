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

/// Writes the MariaDB ledger, as it is at one instant, into a SQLite ledger of its own (mode 0600),
/// while others write. It appears under its name only when it is complete, audited and on disk. An
/// existing target is refused. Killed, it leaves `to` with ".partial" behind its name, which the
/// next one refuses to overwrite. `finish` changes the copy last. Throws TransferError, SchemaError
/// or Outage; nothing is left behind then.
Dumped dump(
    const mariadb::ServerAddress& from, const std::filesystem::path& to, Timestamp now,
    const Told& told,
    const std::function<void(sqlite::Database&, const Dumped&)>& finish = [](sqlite::Database&,
                                                                             const Dumped&) {});

/// Makes the copy a ledger of its own: with another name, and with this deed as its last.
void take_over(sqlite::Database& copy, const Deed& deed);

}  // namespace sluice::transfer
