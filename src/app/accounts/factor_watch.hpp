#pragma once

#include <string>
#include <vector>

#include "app/office/actor.hpp"
#include "app/passes/expiring_table.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/trail_ledger.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

/// Notices who guesses at second factors. Whoever can be wrong about one has the right password or
/// a session, so what they do is worth knowing. A right code in between does not hide the wrong
/// ones: the owner may log in while somebody else guesses. Each node counts what it is asked. Safe
/// from any thread.
class FactorWatch {
  public:
    /// So many wrong codes for one account, and each further so many, are told of, ...
    static constexpr unsigned kTold = 5;
    /// ... if they come within so long after the first.
    static constexpr std::chrono::hours kRemembered{24};
    /// Accounts with wrong codes. They are of staff, so there are few.
    static constexpr std::size_t kMostAccounts = 10'000;

    FactorWatch(TrailLedger& trail, UserLedger& users, const Clock& clock, IdSource& ids, Log& log)
        : trail_(trail), users_(users), clock_(clock), ids_(ids), log_(log) {}

    /// A code was wrong. `actor`: the account, and from where it was tried. When it is to be told
    /// of, the log and the audit trail have it. May throw Outage.
    Task<Done> note_wrong(Actor actor);

    /// An account whose second factor is guessed at.
    struct Guessed {
        UserId user;
        std::string name;
        unsigned wrong = 0;  // codes
    };
    /// What was told of since the last call, for whoever is to hear of it.
    std::vector<Guessed> take();

  private:
    unsigned count(UserId user) EXCLUDES(mutex_);

    TrailLedger& trail_;
    UserLedger& users_;
    const Clock& clock_;
    IdSource& ids_;
    Log& log_;

    Mutex mutex_;
    ExpiringTable<UserId, unsigned> wrong_ GUARDED_BY(mutex_);
    std::vector<Guessed> guessed_ GUARDED_BY(mutex_);
};

}  // namespace sluice
