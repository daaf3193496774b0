#include "app/accounts/log_in.hpp"

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

Task<Outcome<LogIn::Proven>> LogIn::prove(Attempt attempt) {
    const auto account = co_await book_.find(std::move(attempt.phone));
    auto hash = account ? account->password_hash.value_or("") : std::string{};
    const PasswordHasher::Place place{lane_of(account, attempt.from_known_device), attempt.party};
    const bool right = co_await hasher_.verify(hash, attempt.password, place);
    if (!right) co_return refuse(Reason::unauthenticated, Detail::wrong_credentials);
    if (WrappedHash::parse(hash))
        hash = co_await renew(account->user, std::move(hash), std::move(attempt.password), place);
    co_return Proven{.user = account->user, .password_hash = std::move(hash)};
}

HashLane LogIn::lane_of(const std::optional<Account>& account, bool from_known_device) {
    if (account && is_staff(account->user.role)) return HashLane::operators;
    return from_known_device ? HashLane::known : HashLane::shoppers;
}

Task<Outcome<LoggedIn>> LogIn::open(Proven proven, Opening opening) {
    Actor actor{.id = proven.user.id,
                .address = std::move(opening.address),
                .request_id = std::move(opening.request_id)};
    const auto shown = co_await factors_.check(std::move(actor), std::move(opening.second_factor));
    if (shown == SecondFactors::Shown::nothing)
        co_return refuse(Reason::unauthenticated, Detail::second_factor_needed);
    if (shown == SecondFactors::Shown::wrong)
        co_return refuse(Reason::unauthenticated, Detail::second_factor_wrong);
    SessionStore::Proven session{.user = proven.user.id,
                                 .password_hash = std::move(proven.password_hash),
                                 .strong = shown == SecondFactors::Shown::right,
                                 .network = opening.network};
    auto opened = co_await begin(std::move(proven.user), std::move(session), opening.earlier);
    co_return opened;
}

Task<Outcome<LoggedIn>> LogIn::begin(User user, SessionStore::Proven proven,
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
