#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.hpp"

namespace sluice::sqlite {

/// A folder of backups, named by the second they were begun at:
///   sluice-20261111T200000Z.db
///       proven: whole, of this program's schema, every promise holds
///   sluice-20261111T200000Z.unproven.db
///       whole, but a promise is broken: `sluice restore` says which
/// If sales are archived, the archive is beside it, with ".archive" behind the same name. A file
/// gets such a name when it is complete, checked and on disk, the archive before the ledger;
/// whatever else a kill leaves behind is removed with the next backup. One process uses a folder at
/// a time; all calls block.
class BackupShelf {
  public:
    /// Makes the folder (mode 0700) when it is absent. Throws BackupError when it cannot be used,
    /// or another process uses it.
    explicit BackupShelf(std::filesystem::path folder);
    ~BackupShelf();
    BackupShelf(const BackupShelf&) = delete;
    BackupShelf& operator=(const BackupShelf&) = delete;

    /// When the newest proven backup was begun.
    std::optional<Timestamp> newest() const;

    struct Taken {
        std::filesystem::path file;
        std::optional<std::string> broken;  // the promise that does not hold
    };
    /// Copies the database and proves the copy as a restore would. Throws BackupError, soon after
    /// `stop` becomes true; nothing is left behind then.
    Taken take(const std::filesystem::path& database, Timestamp now, const std::atomic<bool>& stop);

    /// Removes all but the newest `keep` of each kind. Only after take(): an old backup is removed
    /// when there is a newer one.
    void prune(std::size_t keep);

  private:
    std::vector<std::filesystem::path> list(std::string_view ending) const;  // the oldest first
    void discard(const std::filesystem::path& backup) const;
    void clear_leftovers() const;

    const std::filesystem::path folder_;
    int lock_ = -1;
};

}  // namespace sluice::sqlite
