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
    bool replace = false;        // even a ledger that contains something
    std::filesystem::path keep;  // where that is kept then; empty: never replace it
    Timestamp now{};
    std::optional<Deed> deed{};  // becomes the last one of the trail
};

struct Loaded {
    std::int64_t rows = 0;
    bool went_on = false;                       // where an interrupted load had got to
    std::optional<std::filesystem::path> kept;  // what was in the ledger before
};

/// Makes the MariaDB ledger equal to the SQLite one, row by row, with its archive, under another
/// name. It is proven before it counts: the rows are compared with the source, and the promises are
/// audited.
///
/// From the first change on a table, sluice_transfer, says that the load is not done: servers and
/// commands refuse the database. If the load is killed, that table stays. The next load continues
/// after the rows that are there if it has the same source, otherwise it begins again. A database
/// that contains something is refused unless `replace` is set; then its content is kept as a file.
///
/// The caller keeps servers away; any other connection makes it refuse. Throws TransferError,
/// SchemaError, SettingsError or Outage.
Loaded load(const LoadWish& wish, const Told& told);

/// Throws TransferError when somebody else has the database open.
void expect_no_others(mariadb::Connection& connection);

}  // namespace sluice::transfer
