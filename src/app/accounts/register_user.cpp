#include "app/accounts/register_user.hpp"

namespace sluice {

RegisterUser::RegisterUser(UserLedger& ledger, const PhoneForm& form, PasswordHasher& hasher,
                           const Clock& clock, IdSource& ids)
    : ledger_(ledger), book_(ledger, form), hasher_(hasher), clock_(clock), ids_(ids) {}

Outcome<User> RegisterUser::draft(const std::string& phone, const std::string& password,
                                  std::string name, Role role) const {
    if (auto errors = check_registration(phone, password, name); !errors.empty())
        return refuse(std::move(errors));
    const auto now = clock_.now();
    return User{.id = UserId{ids_.next(now)},
                .phone = book_.form().canonical(phone),
                .name = name.empty() ? default_name(phone) : std::move(name),
                .role = role,
                .created_at = now};
}

Task<std::optional<Refusal>> RegisterUser::expect_free(std::string phone) {
    const bool taken = co_await book_.is_taken(std::move(phone));
    if (!taken) co_return std::nullopt;
    co_return Refusal{Reason::conflict, Detail::phone_taken, {}, {}};
}

Task<std::optional<Outcome<Created>>> RegisterUser::add(Registration registration, MayAdd may_add) {
    const PasswordHasher::Place place{HashLane::registration, registration.party};
    Account account{.user = std::move(registration.user), .password_hash = {}};
    account.password_hash = co_await hasher_.hash(std::move(registration.password), place);
    if (!may_add()) co_return std::nullopt;
    auto created = co_await ledger_.add(std::move(account), std::move(registration.receipt));
    co_return created;
}

}  // namespace sluice
