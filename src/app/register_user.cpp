#include "app/register_user.hpp"

namespace sluice {

RegisterUser::RegisterUser(UserLedger& ledger, PasswordHasher& hasher, const Clock& clock,
                           IdSource& ids)
    : ledger_(ledger), hasher_(hasher), clock_(clock), ids_(ids) {}

Outcome<User> RegisterUser::draft(const std::string& phone, const std::string& password,
                                  std::string name, Role role) const {
    if (auto errors = check_registration(phone, password, name); !errors.empty())
        return refuse(std::move(errors));
    const auto now = clock_.now();
    return User{.id = UserId{ids_.next(now)},
                .phone = phone,
                .name = name.empty() ? default_name(phone) : std::move(name),
                .role = role,
                .created_at = now};
}

Task<Outcome<Created>> RegisterUser::add(User user, std::string password,
                                         std::optional<Receipt> receipt) {
    Account account{.user = std::move(user), .password_hash = {}};
    account.password_hash = co_await hasher_.hash(std::move(password));
    auto created = co_await ledger_.add(std::move(account), std::move(receipt));
    co_return created;
}

}  // namespace sluice
