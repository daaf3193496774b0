#include "app/log_in.hpp"

namespace sluice {

LogIn::LogIn(UserLedger& users, SessionStore& sessions, PasswordHasher& hasher,
             const SessionTokens& tokens, const Clock& clock, Random& random)
    : users_(users),
      sessions_(sessions),
      hasher_(hasher),
      tokens_(tokens),
      clock_(clock),
      random_(random) {}

Task<Outcome<LoggedIn>> LogIn::log_in(std::string phone, std::string password) {
    auto account = co_await users_.find_by_phone(std::move(phone));
    auto hash = account && account->password_hash ? *account->password_hash : std::string{};
    const bool right = co_await hasher_.verify(std::move(hash), std::move(password));
    if (!right) co_return refuse(Reason::unauthenticated, "The phone or the password is wrong.");

    std::array<unsigned char, SessionTokens::kSecretBytes> secret;
    random_.fill(secret);
    auto token = tokens_.make(secret);
    const auto expires_at = co_await sessions_.open(token.key, account->user, clock_.now());
    co_return LoggedIn{std::move(token.text), expires_at, std::move(account->user)};
}

}  // namespace sluice
