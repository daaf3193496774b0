#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/deed.hpp"
#include "ports/auditor.hpp"

namespace sluice::sqlite {

class Database;

/// Why nothing was restored; or why a restore that was decided could not be finished.
class RestoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct RestoreWish {
    std::filesystem::path from;  // made by backup()
    std::filesystem::path to;    // the ledger's file, whether it exists or not
    bool replace = false;        // even if it contains something
    Timestamp now{};
    Deed deed;                             // becomes the last one of the restored trail
    std::vector<std::string> accept = {};  // names of promises that the backup may break
};

struct Restored {
    std::optional<std::filesystem::path> kept;          // where the ledger that was there is now
    std::optional<std::filesystem::path> kept_archive;  // and its archive
    std::size_t migrations = 0;                         // that the backup lacked
    std::vector<AuditReport::Check> accepted;           // what it breaks, as it was then
};

/// Looks at every page and every reference; throws RestoreError naming `from` when one is wrong.
void expect_whole(Database& database, const std::filesystem::path& from);

/// Puts a copy of a backup in the ledger's place. The copy is looked through page by page, brought
/// up to date and audited before; its sessions are ended, since those that somebody ended after
/// the backup would come to life again. A backup that breaks a promise is refused, unless the wish
/// accepts it by name: then the deed lists each finding, and the audit names them as accepted. To
/// accept what is not broken is refused too.
///
/// The archive is replaced together with the ledger, by a copy that has what the restored ledger
/// calls archived. Both old files are kept, under names of one stamp, so that they are a backup in
/// their turn. Until the drafts are proven nothing that is in use is changed.
///
/// The caller keeps servers away. Whoever else has a file open makes it refuse. `progress` is told
/// each step before it is done. Killed, it leaves:
///   - before the ledger's draft is called ".restored": the old pair, in use as before; at most
///     drafts, which the next restore removes, and second names of the old files;
///   - after it: everything that finish_restore() needs. Between its two renames the new archive
///     stands beside the old ledger, which must not be used like that: whoever opens a ledger
///     calls finish_restore() first;
///   - after the ledger's rename: the new pair.
/// At every moment the old files and the new ones are there, whole, under some name.
Restored restore(const RestoreWish& wish,
                 const std::function<void(std::string_view step)>& progress);

/// Puts the files of a restore that was decided in their places. False when there is none. May be
/// repeated at any point. The caller has the folder's lock.
bool finish_restore(
    const std::filesystem::path& ledger,
    const std::function<void(std::string_view step)>& progress = [](std::string_view) {});

/// Whether finish_restore() has something to do.
bool has_unfinished_restore(const std::filesystem::path& ledger);

}  // namespace sluice::sqlite
