#include "app/log_in.hpp"

#include "domain/legacy_password.hpp"

namespace sluice {

LogIn::LogIn(UserLedger& users, const PhoneForm& form, SessionStore& sessions,
             PasswordHasher& hasher, SecondFactors& factors, const SessionTokens& tokens,
             const Clock& clock, Random& random)
    : users_(users),
      book_(users, form),
      sessions_(sessions),
      hasher_(hasher),
      factors_(factors),
      tokens_(tokens),
      clock_(clock),
      random_(random) {}

Task<Outcome<LoggedIn>> LogIn::log_in(Attempt attempt) {
    const auto account = co_await book_.find(std::move(attempt.phone));
    auto hash = account ? account->password_hash.value_or("") : std::string{};
    const bool is_of_staff = account && is_staff(account->user.role);
    const PasswordHasher::Place place{is_of_staff ? HashLane::operators : HashLane::shoppers,
                                      attempt.party};
    const bool right = co_await hasher_.verify(hash, attempt.password, place);
    if (!right) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);
    if (WrappedHash::parse(hash))
        hash = co_await renew(account->user, std::move(hash), std::move(attempt.password), place);

    const auto shown = co_await factors_.check(account->user.id, std::move(attempt.second_factor));
    if (shown == SecondFactors::Shown::nothing)
        co_return refuse(Reason::unauthenticated, Detail::second_factor_needed);
    if (shown == SecondFactors::Shown::wrong)
        co_return refuse(Reason::unauthenticated, Detail::second_factor_wrong);
    SessionStore::Proven proven{.user = account->user.id,
                                .password_hash = std::move(hash),
                                .strong = shown == SecondFactors::Shown::right,
                                .network = attempt.network};
    auto opened = co_await open(account->user, std::move(proven), attempt.earlier);
    co_return opened;
}

Task<Outcome<LoggedIn>> LogIn::open(User user, SessionStore::Proven proven,
                                    std::optional<SessionName> earlier) {
    std::array<unsigned char, SessionTokens::kSecretBytes> secret;
    random_.fill(secret);
    auto token = tokens_.make(secret);
    // Hashing takes long. If the password was changed meanwhile, the new password counts.
    auto caller = co_await sessions_.open(token.name, std::move(proven), clock_.now());
    if (!caller) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);
    // An earlier session of another user stays: a script may log in many users with one cookie jar.
    std::optional<Caller> before;
    if (earlier) before = co_await sessions_.find(*earlier, clock_.now());
    if (before && before->id == caller->id) co_await sessions_.close(earlier->key);
    co_return LoggedIn{std::move(token.text), *caller, std::move(user.name)};
}

Task<std::string> LogIn::renew(User user, std::string wrapped, std::string password,
                               PasswordHasher::Place place) {
    auto fresh = co_await hasher_.hash(password, place);
    const bool replaced = co_await users_.replace_password_hash(user.id, std::move(wrapped), fresh);
    if (replaced) co_return fresh;
    // Another log-in was quicker, or the password was changed: the present hash decides.
    const auto account = co_await users_.find_by_phone(user.phone);
    auto present = account ? account->password_hash.value_or("") : std::string{};
    const bool right = co_await hasher_.verify(present, std::move(password), place);
    if (!right) co_return std::string{};
    co_return present;
}

}  // namespace sluice
