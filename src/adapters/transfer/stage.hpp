#pragma once

#include <filesystem>

#include "base/timestamp.hpp"

namespace sluice::transfer {

/// A folder with a SQLite ledger that nobody else uses, from which another ledger will be loaded.
/// It is removed at the end of its scope; if that was prevented by a kill, the next one removes it.
/// The caller makes sure that there is only one at a time.
class Stage {
  public:
    /// Throws TransferError.
    explicit Stage(std::filesystem::path folder);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    std::filesystem::path ledger() const { return folder_ / "sluice.db"; }

    /// Puts a copy of this ledger here, with its archive.
    void copy_from(const std::filesystem::path& ledger) const;

    /// Migrates the copy. Throws TransferError when sales are archived and their archive is
    /// missing.
    void bring_up_to_date() const;

    /// Throws TransferError that names what is broken, in the ledger or in its archive.
    void expect_sound(Timestamp now) const;

  private:
    const std::filesystem::path folder_;
};

}  // namespace sluice::transfer
