#pragma once

#include "app/actor.hpp"
#include "domain/caller.hpp"
#include "domain/totp.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/second_factor_ledger.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// What operators and admins show besides their password: a code of their authenticator, or a
/// recovery code. Each code counts once. All calls may throw Outage.
class SecondFactors {
  public:
    using Key = std::array<unsigned char, 32>;
    static constexpr std::size_t kRecoveryCodes = 10;

    SecondFactors(SecondFactorLedger& ledger, SessionStore& sessions, const Key& key,
                  const Clock& clock, Random& random, IdSource& ids)
        : ledger_(ledger),
          sessions_(sessions),
          key_(key),
          clock_(clock),
          random_(random),
          ids_(ids) {}

    enum class Shown { not_needed, nothing, wrong, right };
    /// Whether `code` is one of this user's. Not needed from whoever has no second factor.
    Task<Shown> check(UserId user, std::optional<std::string> code);

    struct State {
        bool on = false;
        std::int64_t recovery_codes = 0;
    };
    Task<State> look(UserId user);

    /// A secret for an authenticator, which counts for nothing until it is confirmed. Refuses with
    /// conflict when there is one that counts.
    Task<Outcome<Totp::Secret>> begin(UserId user);

    /// From now on the code is asked for; the caller's session has shown it. Returns the recovery
    /// codes, which are shown once. Refuses a wrong code with invalid.
    Task<Outcome<std::vector<std::string>>> confirm(Caller caller, Actor actor, std::string code);

    /// Needs a code. Refuses a wrong one with invalid, and with conflict when there is none.
    Task<Outcome<Done>> remove(Caller caller, Actor actor, std::string code);

  private:
    SealedSecret seal(const Totp::Secret& secret);
    /// nullopt when it was sealed with another key, as after the key file was replaced.
    std::optional<Totp::Secret> unseal(const SealedSecret& sealed) const;
    RecoveryDigest digest_of(UserId user, std::string_view letters) const;
    Deed deed(const Actor& actor, const char* action) const;

    SecondFactorLedger& ledger_;
    SessionStore& sessions_;
    const Key key_;
    const Clock& clock_;
    Random& random_;
    IdSource& ids_;
};

}  // namespace sluice
