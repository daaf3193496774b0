#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/deed.hpp"

namespace sluice::sqlite {

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
    Deed deed;  // becomes the last one of the restored trail
};

struct Restored {
    std::optional<std::filesystem::path> kept;  // where the database that was there is now
    std::size_t migrations = 0;                 // that the backup lacked
};

/// Puts a copy of a backup in the ledger's place. The copy is looked through page by page, brought
/// up to date and audited before; its sessions are ended, since those that somebody ended after
/// the backup would come to life again.
///
/// The caller keeps servers away. Whoever else has the database open makes it refuse. Killed at any
/// step, it leaves the old database or the new one, whole, and no more than a draft beside it,
/// which the next one removes. `progress` is told each step before it is done.
Restored restore(const RestoreWish& wish,
                 const std::function<void(std::string_view step)>& progress);

}  // namespace sluice::sqlite
