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
    const auto account = co_await users_.find_by_phone(std::move(phone));
    const auto hash = account ? account->password_hash.value_or("") : std::string{};
    const bool right = co_await hasher_.verify(hash, std::move(password));
    if (!right) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);

    std::array<unsigned char, SessionTokens::kSecretBytes> secret;
    random_.fill(secret);
    auto token = tokens_.make(secret);
    // The hash took its time: whoever changed the password meanwhile meant it.
    auto caller = co_await sessions_.open(token.key, account->user.id, hash, clock_.now());
    if (!caller) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);
    co_return LoggedIn{std::move(token.text), std::move(*caller)};
}

}  // namespace sluice
