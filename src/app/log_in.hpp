#pragma once

#include "base/password_hasher.hpp"
#include "domain/session_token.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/session_store.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

struct LoggedIn {
    std::string token;
    Caller caller;
};

class LogIn {
  public:
    LogIn(UserLedger& users, SessionStore& sessions, PasswordHasher& hasher,
          const SessionTokens& tokens, const Clock& clock, Random& random);

    /// Refuses with unauthenticated, in the same words and the same time whether the phone is
    /// unknown or the password wrong. May throw Overload and Outage.
    Task<Outcome<LoggedIn>> log_in(std::string phone, std::string password);

  private:
    UserLedger& users_;
    SessionStore& sessions_;
    PasswordHasher& hasher_;
    const SessionTokens& tokens_;
    const Clock& clock_;
    Random& random_;
};

}  // namespace sluice
