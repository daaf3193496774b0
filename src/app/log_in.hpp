#pragma once

#include "app/password_hasher.hpp"
#include "domain/session_token.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"
#include "ports/session_store.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

struct LoggedIn {
    std::string token;
    Caller caller;
    std::string user_name;
};

class LogIn {
  public:
    LogIn(UserLedger& users, SessionStore& sessions, PasswordHasher& hasher,
          const SessionTokens& tokens, const Clock& clock, Random& random);

    /// Refuses with unauthenticated, in the same words and the same time whether the phone is
    /// unknown or the password wrong. `earlier` is the session that the client had until now: if
    /// it is the same user's, it ends when the new one has begun. An imported password is hashed
    /// anew at its first log-in. May throw Overload and Outage.
    Task<Outcome<LoggedIn>> log_in(std::string phone, std::string password,
                                   std::optional<SessionName> earlier);

  private:
    /// The hash to open the session with, which is not the wrapped one any more.
    Task<std::string> renew(User user, std::string wrapped, std::string password);

    UserLedger& users_;
    SessionStore& sessions_;
    PasswordHasher& hasher_;
    const SessionTokens& tokens_;
    const Clock& clock_;
    Random& random_;
};

}  // namespace sluice
