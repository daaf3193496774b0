#include "adapters/transfer/stage.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "adapters/sql/rows.hpp"
#include "adapters/sqlite/archive/archive_rows.hpp"
#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/restore.hpp"
#include "adapters/transfer/copier.hpp"
#include "adapters/transfer/statements.hpp"

namespace sluice::transfer {
namespace {

namespace fs = std::filesystem;
using sqlite::Database;

void bring_back(Database& ledger, Database& archive, SaleId sale,
                const sqlite::RowsDigest& digest) {
    const sqlite::WithoutTriggers quiet(ledger);
    ledger.run("BEGIN");
    sqlite::copy_sale(archive, ledger, sale);
    if (sqlite::digest_of(ledger, sale) != digest)
        throw TransferError("archived sale " + sale.text() +
                            " is not what was moved: rows are missing or were changed");
    ledger.run(statements::sqlite_forget_archived, sale);
    ledger.run("COMMIT");
}

}  // namespace

Stage::Stage(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    fs::remove_all(folder_, error);
    if (!error) fs::create_directories(folder_, error);
    if (!error) fs::permissions(folder_, fs::perms::owner_all, error);
    if (error) throw TransferError("cannot make " + folder_.string() + ": " + error.message());
}

Stage::~Stage() {
    std::error_code error;
    fs::remove_all(folder_, error);
}

void Stage::copy_from(const fs::path& source) const {
    sqlite::backup(source, ledger(), {});
    if (const auto archive = sqlite::archive_backup_of(ledger()); fs::exists(archive))
        fs::rename(archive, sqlite::archive_of(ledger()));
}

void Stage::make_one_ledger() const {
    sqlite::migrate(ledger());
    sqlite::migrate_archive(ledger());
    auto database = Database::open_bare(ledger());
    const auto archived =
        database.rows<std::tuple<SaleId, sqlite::RowsDigest>>(statements::sqlite_list_archived)
            .to_vector();
    if (archived.empty()) return;
    const auto file = sqlite::archive_of(ledger());
    if (!fs::exists(file))
        throw TransferError(
            "sales are archived, and their archive is not there: put archive.db "
            "back, or restore a backup");
    auto archive = Database::open_bare(file);
    for (const auto& [sale, digest] : archived) bring_back(database, archive, sale, digest);
}

void Stage::expect_sound(Timestamp now) const {
    auto database = Database::open_reader(ledger());
    sqlite::expect_whole(database, ledger());
    const auto report = sqlite::audit(database, std::nullopt, now).value();
    const auto broken = std::ranges::find(report.checks, false, &AuditReport::Check::holds);
    if (broken != report.checks.end())
        throw TransferError("the ledger breaks a promise, " + broken->name + ": " + broken->detail);
}

}  // namespace sluice::transfer
