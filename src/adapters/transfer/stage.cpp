#include "adapters/transfer/stage.hpp"

#include <algorithm>
#include <utility>

#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/restore.hpp"
#include "adapters/transfer/copier.hpp"

namespace sluice::transfer {
namespace {

namespace fs = std::filesystem;
using sqlite::Database;

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

void Stage::bring_up_to_date() const {
    sqlite::migrate(ledger());
    sqlite::migrate_archive(ledger());
    if (sqlite::names_archived_sales(ledger()) && !fs::exists(sqlite::archive_of(ledger())))
        throw TransferError(
            "sales are archived, and their archive is not there: put archive.db back, or restore a "
            "backup");
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
