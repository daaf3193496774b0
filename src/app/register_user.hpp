#pragma once

#include <functional>

#include "app/password_hasher.hpp"
#include "app/phone_book.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

class RegisterUser {
  public:
    RegisterUser(UserLedger& ledger, const PhoneForm& form, PasswordHasher& hasher,
                 const Clock& clock, IdSource& ids);

    /// The user as they would be registered, with the phone in its canonical form: nothing has
    /// happened yet.
    Outcome<User> draft(const std::string& phone, const std::string& password, std::string name,
                        Role role) const;

    /// Refuses a phone that is taken in any spelling with conflict, before the password is hashed.
    /// May throw Overload and Outage.
    Task<std::optional<Refusal>> expect_free(std::string phone);

    /// The same for one who takes it meanwhile. `may_add` is asked once the password is hashed: a
    /// refusal ends it there.
    struct Registration {
        User user;
        std::string password;
        std::optional<Receipt> receipt;
        std::uint64_t party = 0;  // of the hasher's lane
    };
    using MayAdd = std::function<bool()>;
    /// nullopt when it may not be added.
    Task<std::optional<Outcome<Created>>> add(Registration registration, MayAdd may_add);

  private:
    UserLedger& ledger_;
    PhoneBook book_;
    PasswordHasher& hasher_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
