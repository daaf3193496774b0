#pragma once

#include "app/password_hasher.hpp"
#include "app/phone_book.hpp"
#include "app/second_factors.hpp"
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
    LogIn(UserLedger& users, const PhoneForm& form, SessionStore& sessions, PasswordHasher& hasher,
          SecondFactors& factors, const SessionTokens& tokens, const Clock& clock, Random& random);

    struct Attempt {
        std::string phone;
        std::string password;
        std::optional<std::string> second_factor;  // a code of it, or a recovery code
        std::optional<SessionName> earlier;        // the session that the client has used until now
        std::uint64_t party = 0;                   // of the hasher's lane
        std::optional<Network> network{};          // of the client; the session keeps it
    };
    /// Refuses with unauthenticated, with the same text and after the same time whether the phone
    /// is unknown or the password wrong. Only whoever knows the password learns of a second factor.
    /// The earlier session, if it is the same user's, ends when the new one has begun. An imported
    /// password is hashed anew at its first log-in. May throw Overload and Outage.
    Task<Outcome<LoggedIn>> log_in(Attempt attempt);

  private:
    /// The hash to open the session with; a wrapped hash has been replaced by then.
    Task<std::string> renew(User user, std::string wrapped, std::string password,
                            PasswordHasher::Place place);
    Task<Outcome<LoggedIn>> open(User user, SessionStore::Proven proven,
                                 std::optional<SessionName> earlier);

    UserLedger& users_;
    PhoneBook book_;
    SessionStore& sessions_;
    PasswordHasher& hasher_;
    SecondFactors& factors_;
    const SessionTokens& tokens_;
    const Clock& clock_;
    Random& random_;
};

}  // namespace sluice
