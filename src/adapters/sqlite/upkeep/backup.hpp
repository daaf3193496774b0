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

/// Throws a BackupError that says what was being done, with the system's error.
[[noreturn]] void fail_backup(const std::string& doing);

/// Copies the database as of one instant, while others write to it, into a file (mode 0600) that
/// gets its name only when it is complete, checked and on disk. Refuses an existing target. A copy
/// that was killed leaves `to` with ".partial" after its name, which the next copy refuses to
/// overwrite. If sales are archived, the archive is copied to a second file, which is complete
/// before `to` appears. `progress` may throw to end it.
void backup(const std::filesystem::path& from, const std::filesystem::path& to,
            const std::function<void(int done_pages, int total_pages)>& progress);

/// Copies one file in the same way, whatever it contains.
void copy_database(const std::filesystem::path& from, const std::filesystem::path& to);

/// Whether sales of this ledger are in an archive. An older ledger that was never migrated has
/// none.
bool names_archived_sales(const std::filesystem::path& ledger);

/// Where the archive of a backup is: the backup's name with ".archive" behind it.
std::filesystem::path archive_backup_of(const std::filesystem::path& backup);

}  // namespace sluice::sqlite
