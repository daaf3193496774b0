#include "adapters/sqlite/upkeep/proof.hpp"

#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/upkeep/audit.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/restore.hpp"

namespace sluice::sqlite {

std::vector<AuditReport::Check> find_broken_promises(Database& backup,
                                                     const std::filesystem::path& file,
                                                     Timestamp now) {
    expect_whole(backup, file);
    verify_schema(backup);
    auto report = audit(backup, std::nullopt, now).value();
    std::erase_if(report.checks, [](const auto& check) { return check.holds; });
    return std::move(report.checks);
}

std::vector<AuditReport::Check> find_broken_promises(const std::filesystem::path& file,
                                                     Timestamp now) {
    auto backup = Database::open_reader(file);
    if (const auto archive = archive_backup_of(file); std::filesystem::exists(archive))
        read_archive_from(backup, archive);
    return find_broken_promises(backup, file, now);
}

}  // namespace sluice::sqlite
