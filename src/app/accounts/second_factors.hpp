#pragma once

#include "app/accounts/factor_watch.hpp"
#include "app/accounts/password_hasher.hpp"
#include "app/office/actor.hpp"
#include "domain/caller.hpp"
#include "domain/totp.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/second_factor_ledger.hpp"
#include "ports/session_store.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

/// What staff show besides their password: a code of their authenticator, or a recovery code. Each
/// code counts once. All calls may throw Outage.
class SecondFactors {
  public:
    using Key = std::array<unsigned char, 32>;
    static constexpr std::size_t kRecoveryCodes = 10;

    /// `is_required`: whether this server requires a second factor of staff.
    SecondFactors(SecondFactorLedger& ledger, UserLedger& users, SessionStore& sessions,
                  PasswordHasher& hasher, FactorWatch& watch, const Key& key, bool is_required,
                  const Clock& clock, Random& random, IdSource& ids)
        : ledger_(ledger),
          users_(users),
          sessions_(sessions),
          hasher_(hasher),
          watch_(watch),
          key_(key),
          is_required_(is_required),
          clock_(clock),
          random_(random),
          ids_(ids) {}

    enum class Shown { not_needed, nothing, wrong, right };
    /// Whether `code` is one of this user's, who has shown the password or has a session; `actor`
    /// says from where. Not needed from whoever has no second factor. A wrong one is noted.
    Task<Shown> check(Actor actor, std::optional<std::string> code);

    /// Whether this server requires a second factor of this role.
    bool is_required_of(Role role) const { return is_required_ && is_staff(role); }

    struct State {
        bool on = false;
        std::int64_t recovery_codes = 0;
    };
    Task<State> look(UserId user);

    struct Begun {
        Totp::Secret secret{};
        std::string phone;  // of the user
    };
    /// A secret for an authenticator. It does not count until it is confirmed. Refuses with invalid
    /// a wrong password, and with conflict when the user has a confirmed secret. `party`: of the
    /// hasher's lane. May throw Overload.
    Task<Outcome<Begun>> begin(UserId user, std::string password, std::uint64_t party);

    /// From now on the code is asked for. The caller's session counts as confirmed; all other
    /// sessions of the user end. Returns the recovery codes, which are shown once. Refuses a wrong
    /// code with invalid.
    Task<Outcome<std::vector<std::string>>> confirm(Caller caller, Actor actor, std::string code);

    /// Why the role keeps its second factor; nullopt when it may be removed.
    std::optional<Refusal> why_not_removable(Role role) const;

    /// Needs a code. Refuses with invalid a wrong one, and with conflict when there is no second
    /// factor.
    Task<Outcome<Done>> remove(Caller caller, Actor actor, std::string code);

  private:
    Task<bool> use(UserId user, SecondFactor factor, std::string code);
    SealedSecret seal(const Totp::Secret& secret);
    /// nullopt when it was sealed with another key, as after the key file was replaced.
    std::optional<Totp::Secret> unseal(const SealedSecret& sealed) const;
    RecoveryDigest digest_of(UserId user, std::string_view letters) const;
    Deed deed(const Actor& actor, const char* action) const;

    SecondFactorLedger& ledger_;
    UserLedger& users_;
    SessionStore& sessions_;
    PasswordHasher& hasher_;
    FactorWatch& watch_;
    const Key key_;
    const bool is_required_;
    const Clock& clock_;
    Random& random_;
    IdSource& ids_;
};

}  // namespace sluice
