#include "app/log_in.hpp"

#include "domain/legacy_password.hpp"

namespace sluice {

LogIn::LogIn(UserLedger& users, SessionStore& sessions, PasswordHasher& hasher,
             const SessionTokens& tokens, const Clock& clock, Random& random)
    : users_(users),
      sessions_(sessions),
      hasher_(hasher),
      tokens_(tokens),
      clock_(clock),
      random_(random) {}

Task<Outcome<LoggedIn>> LogIn::log_in(std::string phone, std::string password,
                                      std::optional<SessionName> earlier) {
    const auto account = co_await users_.find_by_phone(phone);
    auto hash = account ? account->password_hash.value_or("") : std::string{};
    const bool right = co_await hasher_.verify(hash, password);
    if (!right) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);
    if (WrappedHash::parse(hash))
        hash = co_await renew(account->user, std::move(hash), std::move(password));

    std::array<unsigned char, SessionTokens::kSecretBytes> secret;
    random_.fill(secret);
    auto token = tokens_.make(secret);
    // Hashing takes long. If the password was changed meanwhile, the change counts.
    auto caller = co_await sessions_.open(token.name, account->user.id, hash, clock_.now());
    if (!caller) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);
    // A session of another user stays: a script may log many users in with one cookie jar.
    std::optional<Caller> before;
    if (earlier) before = co_await sessions_.find(*earlier, clock_.now());
    if (before && before->id == caller->id) co_await sessions_.close(earlier->key);
    co_return LoggedIn{std::move(token.text), *caller, account->user.name};
}

Task<std::string> LogIn::renew(User user, std::string wrapped, std::string password) {
    auto fresh = co_await hasher_.hash(password);
    const bool replaced = co_await users_.replace_password_hash(user.id, std::move(wrapped), fresh);
    if (replaced) co_return fresh;
    // Another log-in was quicker, or the password has been changed: the hash that is there decides.
    const auto account = co_await users_.find_by_phone(user.phone);
    auto present = account ? account->password_hash.value_or("") : std::string{};
    const bool right = co_await hasher_.verify(present, std::move(password));
    if (!right) co_return std::string{};
    co_return present;
}

}  // namespace sluice
