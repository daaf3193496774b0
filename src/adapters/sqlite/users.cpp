#include "adapters/sqlite/users.hpp"

#include "adapters/sqlite/receipts.hpp"
#include "adapters/sqlite/sessions.hpp"
#include "adapters/sqlite/statements.hpp"

namespace sluice::sqlite {
namespace {

Outcome<Done> insert(Database& database, const User& user,
                     const std::optional<std::string>& password_hash) {
    const auto added = database.run(sql::add_user, user.id, user.phone, user.name,
                                    to_string(user.role), password_hash, user.created_at);
    if (added == 0) return refuse(Reason::conflict, Detail::phone_taken);
    return Done{};
}

}  // namespace

Task<Outcome<Created>> Users::add(Account account, std::optional<Receipt> receipt) {
    return writer_.write<Outcome<Created>>([account = std::move(account),
                                            receipt = std::move(receipt)](Database& database) {
        return create_once(database, receipt,
                           [&] { return insert(database, account.user, account.password_hash); });
    });
}

Task<std::optional<Account>> Users::find_by_phone(std::string phone) {
    return readers_.read<std::optional<Account>>(
        [phone = std::move(phone)](Database& database) -> std::optional<Account> {
            auto rows = database.query(sql::find_user_by_phone, phone);
            if (!rows.step()) return std::nullopt;
            return Account{.user = {.id = rows.column<UserId>(0),
                                    .phone = rows.column<std::string>(1),
                                    .name = rows.column<std::string>(2),
                                    .role = column_role(rows, 3),
                                    .created_at = rows.column<Timestamp>(4)},
                           .password_hash = rows.column<std::optional<std::string>>(5)};
        });
}

Task<bool> Users::set_password_hash(UserId id, std::string hash) {
    return writer_.write<bool>([id, hash = std::move(hash)](Database& database) {
        if (database.run(sql::set_password_hash, id, hash) == 0) return false;
        database.run(sql::remove_sessions_of_user, id);
        return true;
    });
}

Task<bool> Users::set_role(UserId id, Role role) {
    return writer_.write<bool>([id, role](Database& database) {
        return database.run(sql::set_role, id, to_string(role)) > 0;
    });
}

Task<Outcome<Done>> Users::mint(std::vector<MintedBuyer> buyers) {
    return writer_.write<Outcome<Done>>([buyers = std::move(buyers)](
                                            Database& database) -> Outcome<Done> {
        for (const auto& buyer : buyers) {
            auto added = insert(database, buyer.user, std::nullopt);
            if (!added) return added;
            database.run(sql::mint_session, buyer.session, buyer.user.id, buyer.session_expires_at);
        }
        return Done{};
    });
}

}  // namespace sluice::sqlite
