#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>

namespace sluice::sqlite {

/// No backup was made, and nothing was left behind.
class BackupError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Copies the database as it is at one instant, while others write to it, into a file of its own
/// (mode 0600) that appears under its name only when it is complete, checked and on disk. Refuses
/// an existing target. A copy that was killed leaves `to` with ".partial" behind its name, which
/// the next one refuses to overwrite. If sales are archived, the archive is copied to a second
/// file, which is complete before `to` appears. `progress` may throw to end it.
void backup(const std::filesystem::path& from, const std::filesystem::path& to,
            const std::function<void(int done_pages, int total_pages)>& progress);

/// Copies one file in the same way, whatever it holds.
void copy_database(const std::filesystem::path& from, const std::filesystem::path& to);

/// Where the archive of a backup is: the backup's name with ".archive" behind it.
std::filesystem::path archive_backup_of(const std::filesystem::path& backup);

}  // namespace sluice::sqlite
