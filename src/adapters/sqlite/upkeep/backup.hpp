#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

namespace sluice::sqlite {

/// No backup was made, and nothing was left behind.
class BackupError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws a BackupError with what was being done and what the system says of it.
[[noreturn]] void fail_backup(const std::string& doing);

/// Copies the database as it is at one instant, while others write to it, into a file of its own
/// (mode 0600) that appears under its name only when it is complete, checked and on disk. Refuses
/// an existing target. A copy that was killed leaves `to` with ".partial" behind its name, which
/// the next one refuses to overwrite. If sales are archived, the archive is copied to a second
/// file, which is complete before `to` appears. `progress` may throw to end it.
void backup(const std::filesystem::path& from, const std::filesystem::path& to,
            const std::function<void(int done_pages, int total_pages)>& progress);

/// Copies one file in the same way, whatever it holds.
void copy_database(const std::filesystem::path& from, const std::filesystem::path& to);

/// Whether sales of this ledger are in an archive. An older ledger that was never migrated knows of
/// none.
bool names_archived_sales(const std::filesystem::path& ledger);

/// Where the archive of a backup is: the backup's name with ".archive" behind it.
std::filesystem::path archive_backup_of(const std::filesystem::path& backup);

}  // namespace sluice::sqlite
