#pragma once

#include "app/password_hasher.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

class RegisterUser {
  public:
    RegisterUser(UserLedger& ledger, PasswordHasher& hasher, const Clock& clock, IdSource& ids);

    /// The user as they would be registered: nothing has happened yet.
    Outcome<User> draft(const std::string& phone, const std::string& password, std::string name,
                        Role role) const;

    /// Refuses a taken phone with conflict. May throw Overload and Outage.
    Task<Outcome<Created>> add(User user, std::string password, std::optional<Receipt> receipt);

  private:
    UserLedger& ledger_;
    PasswordHasher& hasher_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
