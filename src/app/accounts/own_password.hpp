#pragma once

#include "app/accounts/password_hasher.hpp"
#include "app/accounts/phone_book.hpp"
#include "app/accounts/phone_codes.hpp"
#include "app/office/actor.hpp"
#include "base/id_source.hpp"
#include "domain/caller.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// How people change their own password. It ends all of their sessions except the one that changes
/// it, so that whoever knew the old password is logged out. Changes by operators are deeds of the
/// audit trail.
class OwnPassword {
  public:
    OwnPassword(UserLedger& users, const PhoneForm& form, PhoneCodes& codes, SessionStore& sessions,
                PasswordHasher& hasher, const Clock& clock, IdSource& ids)
        : users_(users),
          book_(users, form),
          codes_(codes),
          sessions_(sessions),
          hasher_(hasher),
          clock_(clock),
          ids_(ids) {}

    struct Change {
        std::string present, wanted;
        std::uint64_t party = 0;  // of the hasher's lane
    };
    /// Refuses with invalid a wrong password and one that may not be chosen. May throw Overload and
    /// Outage.
    Task<Outcome<Done>> change(Caller caller, Actor actor, Change change);

    /// With the code that was sent to the phone. Ends all sessions. The code is spent only if the
    /// password changes. Refuses a wrong code with invalid. Succeeds also when nobody has this
    /// phone.
    struct Reset {
        std::string phone, wanted, code;
        CodeBearer bearer{};
        Actor actor;  // without an id
        std::uint64_t party = 0;
    };
    Task<Outcome<Done>> reset(Reset reset);

  private:
    Task<Outcome<Done>> carry_out(Reset reset);
    Task<Outcome<Done>> replace(Account account, std::string wanted, PasswordHasher::Place place,
                                std::optional<SessionKey> kept, Actor actor);

    UserLedger& users_;
    PhoneBook book_;
    PhoneCodes& codes_;
    SessionStore& sessions_;
    PasswordHasher& hasher_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
