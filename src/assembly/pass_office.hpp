#pragma once

#include "assembly/keeper.hpp"
#include "assembly/pass_key_watch.hpp"
#include "domain/pass.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"

namespace sluice {

/// Passes and the keys that sign them, which rotate in a file.
class PassOffice {
  public:
    PassOffice(const std::filesystem::path& folder, Random& random, const Clock& clock, Log& log)
        : file_(folder),
          keys_(with_signing_last(file_.read_or_make(random, clock.now()), clock.now())),
          watch_(file_, keys_, clock, log),
          rounds_(
              "pass_key_watch", std::chrono::milliseconds{500}, [this] { return watch_.look(); },
              log),
          passes(keys_) {}

    void employ(Keeper& keeper) { keeper.employ(rounds_); }

    /// Looks at the file at once. From any thread.
    void read_keys_again() { rounds_.wake(); }

  private:
    PassKeyFile file_;
    PassKeyRing keys_;
    PassKeyWatch watch_;
    Periodic rounds_;

  public:
    const Passes passes;
};

}  // namespace sluice
