#pragma once

#include <functional>

#include "app/accounts/password_hasher.hpp"
#include "app/accounts/phone_book.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

class RegisterUser {
  public:
    RegisterUser(UserLedger& ledger, const PhoneForm& form, PasswordHasher& hasher,
                 const Clock& clock, IdSource& ids);

    /// The user as add() would store them, with the phone in its canonical form. Nothing is stored
    /// yet.
    Outcome<User> draft(const std::string& phone, const std::string& password, std::string name,
                        Role role) const;

    /// Refuses with conflict a phone that is taken in any spelling, before the password is hashed.
    /// May throw Overload and Outage.
    Task<std::optional<Refusal>> expect_free(std::string phone);

    /// The same if somebody else takes the phone meanwhile. `may_add` is asked after the password
    /// was hashed; if it says no, nobody is added.
    struct Registration {
        User user;
        std::string password;
        std::optional<Receipt> receipt;
        std::uint64_t party = 0;  // of the hasher's lane
    };
    using MayAdd = std::function<bool()>;
    /// nullopt when `may_add` said no.
    Task<std::optional<Outcome<Created>>> add(Registration registration, MayAdd may_add);

  private:
    UserLedger& ledger_;
    PhoneBook book_;
    PasswordHasher& hasher_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
