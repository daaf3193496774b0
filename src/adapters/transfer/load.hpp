#pragma once

#include <filesystem>
#include <optional>

#include "adapters/mariadb/engine/connection.hpp"
#include "adapters/transfer/told.hpp"
#include "base/timestamp.hpp"
#include "domain/deed.hpp"

namespace sluice::transfer {

struct LoadWish {
    std::filesystem::path from;  // a SQLite ledger as a Stage makes it, and its archive
    mariadb::ServerAddress to;
    bool replace = false;        // also a ledger that holds something
    std::filesystem::path keep;  // the file that it is written to then; empty: never replaced
    Timestamp now{};
    std::optional<Deed> deed{};  // becomes the last one of the trail
};

struct Loaded {
    std::int64_t rows = 0;
    bool went_on = false;                       // where an earlier one had been cut short
    std::optional<std::filesystem::path> kept;  // what was there
};

/// Makes the MariaDB ledger what the SQLite one is, row by row, with its archive, under another
/// name. What is there is proven before it counts: the rows are compared with the source, the
/// promises audited.
///
/// From the first change on a table, sluice_transfer, says that it is not done: servers and
/// commands refuse the database. Killed, it leaves that table. The next load goes on behind the
/// rows that are there if it has the same source, else it begins again. A database with something
/// in it is refused, unless `replace` is set; it is kept as a file then.
///
/// The caller keeps servers away; whoever is connected makes it refuse. Throws TransferError,
/// SchemaError, SettingsError or Outage.
Loaded load(const LoadWish& wish, const Told& told);

/// Throws TransferError when somebody else has the database open.
void expect_no_others(mariadb::Connection& connection);

}  // namespace sluice::transfer
