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

/// Why nothing was restored; or, that the folder cannot be flushed after it was.
class RestoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct RestoreWish {
    std::filesystem::path from;  // made by backup()
    std::filesystem::path to;    // the ledger's file, with or without one there
    bool replace = false;        // also one that holds something
    Timestamp now{};
    Deed deed;                             // becomes the last one of the restored trail
    std::vector<std::string> accept = {};  // names of promises that the backup may break
};

struct Restored {
    std::optional<std::filesystem::path> kept;  // where the database that was there is now
    std::size_t migrations = 0;                 // that the backup lacked
    std::vector<AuditReport::Check> accepted;   // what it breaks, as it was then
};

/// Looks at every page and every reference; throws RestoreError naming `from` when one is wrong.
void expect_whole(Database& database, const std::filesystem::path& from);

/// Puts a copy of a backup in the ledger's place. The copy is looked through page by page, brought
/// up to date and audited before; its sessions are ended, since those that somebody ended after
/// the backup would come to life again. A backup that breaks a promise is refused, unless the wish
/// accepts it by name: then the deed lists each finding, and the audit names them as accepted. To
/// accept what is not broken is refused too.
///
/// The caller keeps servers away. Whoever else has the database open makes it refuse. Killed at any
/// step, it leaves the old database or the new one, whole, and no more than a draft beside it,
/// which the next one removes. `progress` is told each step before it is done.
Restored restore(const RestoreWish& wish,
                 const std::function<void(std::string_view step)>& progress);

}  // namespace sluice::sqlite
