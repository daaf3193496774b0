#include "adapters/sqlite/ledgers/users.hpp"

#include <limits>

#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/receipts.hpp"
#include "adapters/sqlite/ledgers/sessions.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"

namespace sluice::sqlite {
namespace {

Outcome<Done> insert(Database& database, const User& user,
                     const std::optional<std::string>& password_hash) {
    const auto added = database.run(sql::add_user, user.id, user.phone, user.name,
                                    to_string(user.role), password_hash, user.created_at);
    if (added == 0) return refuse(Reason::conflict, Detail::phone_taken);
    return Done{};
}

User read_user(const Statement& row) {
    return {.id = row.column<UserId>(0),
            .phone = row.column<std::string>(1),
            .name = row.column<std::string>(2),
            .role = column_role(row, 3),
            .created_at = row.column<Timestamp>(4)};
}

std::vector<User> read_users(Statement rows) {
    std::vector<User> users;
    while (rows.step()) users.push_back(read_user(rows));
    return users;
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
            return Account{.user = read_user(rows),
                           .password_hash = rows.column<std::optional<std::string>>(5)};
        });
}

Task<std::optional<User>> Users::find(UserId id) {
    return readers_.read<std::optional<User>>([id](Database& database) -> std::optional<User> {
        auto row = database.query(sql::find_user, id);
        if (!row.step()) return std::nullopt;
        return read_user(row);
    });
}

Task<std::vector<User>> Users::list(Wanted wanted) {
    return readers_.read<std::vector<User>>([wanted = std::move(wanted)](Database& database) {
        const auto below = wanted.before.value_or(UserId{std::numeric_limits<std::int64_t>::max()});
        if (wanted.phone) {
            auto users = read_users(database.query(sql::find_user_by_phone, *wanted.phone));
            std::erase_if(users, [&](const User& user) {
                return user.id >= below || (wanted.role && user.role != *wanted.role);
            });
            return users;
        }
        if (wanted.role)
            return read_users(database.query(sql::list_users_in_role, below, wanted.limit,
                                             to_string(*wanted.role)));
        return read_users(database.query(sql::list_users, below, wanted.limit));
    });
}

Task<bool> Users::set_password_hash(UserId id, std::string hash, Deed deed) {
    return writer_.write<bool>(
        [id, hash = std::move(hash), deed = std::move(deed)](Database& database) {
            if (database.run(sql::set_password_hash, id, hash) == 0) return false;
            database.run(sql::remove_sessions_of_user, id);
            add_deed(database, deed);
            return true;
        });
}

Task<bool> Users::replace_password_hash(UserId id, std::string before, std::string after) {
    return writer_.write<bool>(
        [id, before = std::move(before), after = std::move(after)](Database& database) {
            return database.run(sql::replace_password_hash, id, before, after) > 0;
        });
}

Task<bool> Users::set_role(UserId id, Role role, Deed deed) {
    return writer_.write<bool>([id, role, deed = std::move(deed)](Database& database) {
        if (database.run(sql::set_role, id, to_string(role)) == 0) return false;
        add_deed(database, deed);
        return true;
    });
}

Task<Outcome<Done>> Users::change_role(UserId id, Role before, Role after, Deed deed) {
    return writer_.write<Outcome<Done>>(
        [id, before, after, deed = std::move(deed)](Database& database) -> Outcome<Done> {
            if (database.run(sql::change_role, id, to_string(before), to_string(after)) == 0)
                return refuse(Reason::conflict, Detail::changed_meanwhile);
            if (before == Role::admin && !database.query(sql::find_other_admin, id).step())
                return refuse(Reason::conflict, Detail::last_admin);
            add_deed(database, deed);
            return Done{};
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

Task<std::vector<std::string>> Users::find_taken(std::vector<std::string> phones) {
    return readers_.read<std::vector<std::string>>(
        [phones = std::move(phones)](Database& database) mutable {
            std::erase_if(phones, [&](const std::string& phone) {
                return !database.query(sql::find_user_by_phone, phone).step();
            });
            return std::move(phones);
        });
}

Task<std::vector<std::string>> Users::add_free(std::vector<Account> accounts,
                                               std::optional<Deed> deed) {
    return writer_.write<std::vector<std::string>>(
        [accounts = std::move(accounts), deed = std::move(deed)](Database& database) {
            std::vector<std::string> taken;
            for (const auto& account : accounts)
                if (!insert(database, account.user, account.password_hash))
                    taken.push_back(account.user.phone);
            if (deed && taken.size() < accounts.size()) add_deed(database, *deed);
            return taken;
        });
}

}  // namespace sluice::sqlite
