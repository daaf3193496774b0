#pragma once

#include "app/accounts/password_hasher.hpp"
#include "app/accounts/phone_book.hpp"
#include "app/accounts/second_factors.hpp"
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

/// In two steps, the password and what comes after it, so that whoever asks can count between them.
class LogIn {
  public:
    LogIn(UserLedger& users, const PhoneForm& form, SessionStore& sessions, PasswordHasher& hasher,
          SecondFactors& factors, const SessionTokens& tokens, const Clock& clock, Random& random);

    struct Attempt {
        std::string phone;
        std::string password;
        bool from_known_device = false;
        std::uint64_t party = 0;  // of the hasher's lane
    };
    /// Whoever has shown their password.
    struct Proven {
        User user;
        std::string password_hash;
    };
    /// Refuses with unauthenticated, in the same words and the same time whether the phone is
    /// unknown or the password wrong. An imported password is hashed anew at its first log-in. May
    /// throw Overload and Outage.
    Task<Outcome<Proven>> prove(Attempt attempt);

    struct Opening {
        std::optional<std::string> second_factor;  // a code of it, or a recovery code
        std::optional<SessionName> earlier;        // the session that the client had until now
        std::optional<Network> network{};          // of the client; the session keeps it
        std::string address;                       // of the client
        std::string request_id;
    };
    /// Refuses with unauthenticated without the second factor, of which only whoever knows the
    /// password hears. The earlier session, if it is the same user's, ends when the new one has
    /// begun. May throw Outage.
    Task<Outcome<LoggedIn>> open(Proven proven, Opening opening);

  private:
    static HashLane lane_of(const std::optional<Account>& account, bool from_known_device);
    /// The hash to open the session with, which is not the wrapped one any more.
    Task<std::string> renew(User user, std::string wrapped, std::string password,
                            PasswordHasher::Place place);
    Task<Outcome<LoggedIn>> begin(User user, SessionStore::Proven proven,
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
