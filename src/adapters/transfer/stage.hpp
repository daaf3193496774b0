#pragma once

#include <filesystem>

#include "base/timestamp.hpp"

namespace sluice::transfer {

/// A folder with a SQLite ledger of its own, which nobody else uses: what is about to be loaded
/// somewhere else. It is gone at the end of its scope; what a killed one has left goes when the
/// next one begins. The caller sees to it that there is one at a time.
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

    /// Brings what is here up to date. Throws TransferError when sales are archived and their
    /// archive is not here.
    void bring_up_to_date() const;

    /// Throws TransferError naming what is broken, in the ledger or in its archive.
    void expect_sound(Timestamp now) const;

  private:
    const std::filesystem::path folder_;
};

}  // namespace sluice::transfer
