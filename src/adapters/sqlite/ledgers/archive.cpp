#include "adapters/sqlite/ledgers/archive.hpp"

#include <tuple>

#include <sqlite3.h>

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/rows.hpp"
#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/archive_rows.hpp"
#include "base/id_source.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const Database& database) {
    return sqlite3_db_filename(database.handle(), "main");
}

/// Renamed, removed or replaced since it was opened.
bool has_moved(const Database& database) {
    int moved = 0;
    sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

std::int64_t count_archived(Database& ledger) {
    return ledger.value<std::int64_t>(sql::count_archived);
}

Database* expect_archive(Database& ledger) {
    if (auto* archive = archive_beside(ledger)) return archive;
    throw ArchiveAway(archive_of(file_of(ledger)).string() + " is missing, and " +
                      std::to_string(count_archived(ledger)) +
                      " sales are archived in it: put it back, or restore a backup");
}

std::optional<std::string> fault_of(Database& ledger, Database* archive, SaleId sale,
                                    const RowsDigest& digest) {
    const auto name = "archived sale " + sale.text();
    if (!archive) return name + " is not there: its file archive.db is missing";
    if (digest_of(*archive, sale) != digest)
        return name + " is not what was moved: rows are missing or were changed";
    const auto stock = [sale](Database& database) {
        return database.row<StockRow>(sql::stock_of_sale, sale);
    };
    if (stock(ledger) != stock(*archive)) return name + " has another stock in the ledger";
    return std::nullopt;
}

}  // namespace

fs::path archive_of(const fs::path& ledger) {
    return ledger.parent_path() / "archive.db";
}

void migrate_archive(const fs::path& ledger) {
    const auto file = archive_of(ledger);
    if (fs::exists(file)) migrate(file);
}

Database* archive_beside(Database& ledger) {
    if (ledger.archive() && !has_moved(*ledger.archive())) return ledger.archive();
    ledger.set_archive(nullptr);
    const auto file = archive_of(file_of(ledger));
    if (!fs::exists(file)) return nullptr;
    read_archive_from(ledger, file);
    return ledger.archive();
}

void read_archive_from(Database& ledger, const fs::path& file) {
    try {
        auto archive = std::make_unique<Database>(Database::open_reader(file));
        if (!has_all_migrations(*archive))
            throw ArchiveAway(file.string() + " is of another version: run `sluice migrate`");
        archive->run("ATTACH ?1 AS ledger", file_of(ledger).string());
        archive->run_script(sql::hide_stale_copies);
        ledger.set_archive(std::move(archive));
    } catch (const Error& error) {
        throw ArchiveAway(file.string() + " cannot be read: " + error.what());
    }
}

Database* archive_for(Database& ledger, const Sought& sought) {
    if (!ledger.has_row(sql::may_have_orders, sought.from, sought.sale)) return nullptr;
    return expect_archive(ledger);
}

Database* archive_for(Database& ledger, PaymentId payment) {
    const auto last = ledger.row<Timestamp>(sql::last_archiving);
    if (!last) return nullptr;
    if (payment.value >= IdSource::first_at(*last + std::chrono::milliseconds{1})) return nullptr;
    return expect_archive(ledger);
}

bool look_again(Database& ledger) {
    if (sqlite3_txn_state(ledger.handle(), "main") == SQLITE_TXN_WRITE) return false;
    if (ledger.in_transaction()) {
        ledger.run("ROLLBACK");
        ledger.run("BEGIN");
    }
    return true;
}

std::vector<std::string> find_archive_faults(Database& ledger, Database* archive,
                                             std::optional<SaleId> sale) {
    std::vector<std::string> faults;
    for (const auto& [id, digest] :
         ledger.rows<std::tuple<SaleId, RowsDigest>>(sql::list_archived, sale)) {
        auto fault = fault_of(ledger, archive, id, digest);
        if (fault) faults.push_back(std::move(*fault));
    }
    return faults;
}

ArchiveState look_at_archive(Database& ledger) {
    ArchiveState state{.sales = count_archived(ledger), .complaint = ""};
    if (state.sales == 0) return state;
    try {
        ask_archive(*expect_archive(ledger),
                    [](Database& archive) { return archive.has_row(sql::has_archived_order); });
    } catch (const ArchiveAway& away) {
        state.complaint = away.what();
    }
    return state;
}

}  // namespace sluice::sqlite
