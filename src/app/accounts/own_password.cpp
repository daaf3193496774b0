#include "app/accounts/own_password.hpp"

#include "domain/password.hpp"

namespace sluice {
namespace {

/// Whoever comes here has a session, or has shown the code.
PasswordHasher::Place place_of(const User& user, std::uint64_t party) {
    return {is_staff(user.role) ? HashLane::operators : HashLane::known, party};
}

std::unexpected<Refusal> refuse_field(std::string field, Complaint complaint) {
    return refuse(std::vector{FieldError{std::move(field), std::move(complaint)}});
}

}  // namespace

Task<Outcome<Done>> OwnPassword::change(Caller caller, Actor actor, Change change) {
    const auto user = co_await users_.find(caller.id);
    if (!user) co_return refuse(Reason::unauthenticated);
    // Before the password is hashed: one that may not be chosen need not be hashed.
    if (auto complaint = check_new_password(change.wanted, {user->phone, user->name}))
        co_return refuse_field("new_password", std::move(*complaint));
    auto account = co_await users_.find_by_phone(user->phone);
    if (!account || !account->password_hash) co_return refuse(Reason::unauthenticated);
    const auto place = place_of(*user, change.party);
    const bool right =
        co_await hasher_.verify(*account->password_hash, std::move(change.present), place);
    if (!right) co_return refuse_field("current_password", Rule::wrong_password);
    auto done = co_await replace(std::move(*account), std::move(change.wanted), place,
                                 caller.session, std::move(actor));
    co_return done;
}

Task<Outcome<Done>> OwnPassword::reset(Reset reset) {
    const auto phone = book_.form().canonical(reset.phone);
    const auto code = reset.code;
    const bool right = co_await codes_.redeem(CodePurpose::password, phone, reset.bearer, code);
    if (!right) co_return refuse_field("code", Rule::wrong_code);
    std::optional<Outcome<Done>> done;
    std::exception_ptr failure;
    try {
        done = co_await carry_out(std::move(reset));
    } catch (...) {
        failure = std::current_exception();
    }
    if (!done || !*done) co_await codes_.give_back(CodePurpose::password, phone, code);
    if (failure) std::rethrow_exception(failure);
    co_return std::move(*done);
}

Task<Outcome<Done>> OwnPassword::carry_out(Reset reset) {
    auto account = co_await book_.find(std::move(reset.phone));
    if (!account) co_return Done{};
    // The first check of the password could not use the name, which is known only after the code.
    const PasswordOwner owner{account->user.phone, account->user.name};
    if (auto complaint = check_new_password(reset.wanted, owner))
        co_return refuse_field("password", std::move(*complaint));
    const auto place = place_of(account->user, reset.party);
    auto done = co_await replace(std::move(*account), std::move(reset.wanted), place, std::nullopt,
                                 std::move(reset.actor));
    co_return done;
}

Task<Outcome<Done>> OwnPassword::replace(Account account, std::string wanted,
                                         PasswordHasher::Place place,
                                         std::optional<SessionKey> kept, Actor actor) {
    auto hash = co_await hasher_.hash(std::move(wanted), place);
    UserLedger::PasswordChange change{.user = account.user.id,
                                      .before = account.password_hash.value_or(""),
                                      .after = std::move(hash),
                                      .kept = kept,
                                      .deed = {}};
    if (is_staff(account.user.role)) {
        const auto now = clock_.now();
        actor.id = account.user.id;
        change.deed = make_deed(actor, DeedId{ids_.next(now)}, now, "user.password",
                                account.user.id.text(), "", "");
    }
    const auto ended = co_await users_.change_password(std::move(change));
    if (!ended) co_return refuse(Reason::conflict, Detail::changed_meanwhile);
    co_await sessions_.forget(*ended);
    co_return Done{};
}

}  // namespace sluice
