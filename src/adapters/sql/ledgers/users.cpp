#include "adapters/sql/ledgers/users.hpp"

#include <limits>

#include "adapters/sql/ledgers/receipts.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "adapters/sql/user_rows.hpp"

namespace sluice::ledgers {
namespace {

/// U+10FFFF, which both kinds of ledger sort after every letter.
constexpr const char* kLastLetter = "\xf4\x8f\xbf\xbf";

Outcome<Done> insert(Database& database, const User& user,
                     const std::optional<std::string>& password_hash) {
    if (database.run(sql::add_user, to_row(user), password_hash) == 0)
        return refuse(Reason::conflict, Detail::phone_taken);
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
    return readers_.read<std::optional<Account>>([phone = std::move(phone)](Database& database) {
        return database.row<AccountRow>(sql::find_user_by_phone, phone).transform(to_account);
    });
}

Task<std::optional<User>> Users::find(UserId id) {
    return readers_.read<std::optional<User>>([id](Database& database) {
        return database.row<UserRow>(sql::find_user, id).transform(to_user);
    });
}

Task<std::vector<User>> Users::list(Wanted wanted) {
    return readers_.read<std::vector<User>>([wanted = std::move(wanted)](Database& database) {
        const auto below = wanted.before.value_or(UserId{std::numeric_limits<std::int64_t>::max()});
        if (wanted.phone) {
            auto account = database.row<AccountRow>(sql::find_user_by_phone, *wanted.phone);
            if (!account || account->user.id >= below) return std::vector<User>{};
            if (wanted.role && account->user.role != *wanted.role) return std::vector<User>{};
            return std::vector{to_user(std::move(account->user))};
        }
        if (wanted.role)
            return database
                .rows<UserRow>(sql::list_users_in_role, below, wanted.limit, *wanted.role)
                .to_vector(to_user);
        return database.rows<UserRow>(sql::list_users, below, wanted.limit).to_vector(to_user);
    });
}

Task<std::vector<UserId>> Users::find_named(std::string beginning, std::size_t limit) {
    return readers_.read<std::vector<UserId>>(
        [beginning = std::move(beginning), limit](Database& database) {
            const auto end = beginning + kLastLetter;
            return database.rows<UserId>(sql::find_users_named, beginning, end, limit).to_vector();
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

Task<std::optional<std::vector<SessionKey>>> Users::change_password(PasswordChange change) {
    using Ended = std::optional<std::vector<SessionKey>>;
    return writer_.write<Ended>([change = std::move(change)](Database& database) -> Ended {
        const auto& [user, before, after, kept, deed] = change;
        if (database.run(sql::replace_password_hash, user, before, after) == 0) return std::nullopt;
        auto keys = database.rows<SessionKey>(sql::find_sessions_of_user, user).to_vector();
        if (kept) std::erase(keys, *kept);
        for (const auto& key : keys) database.run(sql::remove_session, key);
        if (deed) add_deed(database, *deed);
        return keys;
    });
}

Task<bool> Users::replace_password_hash(UserId id, std::string before, std::string after) {
    return writer_.write<bool>(
        [id, before = std::move(before), after = std::move(after)](Database& database) {
            return database.run(sql::replace_password_hash, id, before, after) > 0;
        });
}

Task<bool> Users::set_phone(UserId id, std::string before, std::string after) {
    return writer_.write<bool>(
        [id, before = std::move(before), after = std::move(after)](Database& database) {
            return database.run(sql::set_phone, id, before, after) > 0;
        });
}

Task<bool> Users::set_role(UserId id, Role role, Deed deed) {
    return writer_.write<bool>([id, role, deed = std::move(deed)](Database& database) {
        if (database.run(sql::set_role, id, role) == 0) return false;
        add_deed(database, deed);
        return true;
    });
}

Task<Outcome<Done>> Users::change_role(UserId id, Role before, Role after, Deed deed) {
    return writer_.write<Outcome<Done>>(
        [id, before, after, deed = std::move(deed)](Database& database) -> Outcome<Done> {
            const auto user = database.row<UserRow>(sql::find_user, id);
            RoleFacts facts;
            if (user) facts.present = user->role;
            facts.has_other_admin = database.has_row(sql::find_other_admin, id);
            if (auto no = why_role_stays(facts, before, after))
                return std::unexpected(std::move(*no));
            database.run(sql::set_role, id, after);
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
        [phones = std::move(phones)](Database& database) {
            std::vector<std::string> taken;
            for (const auto& phone : phones)
                if (database.has_row(sql::find_user_by_phone, phone)) taken.push_back(phone);
            return taken;
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

}  // namespace sluice::ledgers
