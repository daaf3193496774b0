#pragma once

#include <optional>
#include <string>

#include "base/timestamp.hpp"
#include "domain/block.hpp"
#include "domain/user.hpp"
#include "ports/session_ledger.hpp"
#include "ports/user_ledger.hpp"

namespace sluice {

struct UserRow {
    UserId id;
    std::string phone;
    std::string name;
    Role role = Role::buyer;
    Timestamp created_at;
};
User to_user(UserRow row);
UserRow to_row(const User& user);

struct AccountRow {
    UserRow user;
    std::optional<std::string> password_hash;
};
Account to_account(AccountRow row);

struct SessionRow {
    UserId user;
    std::string name;
    Role role = Role::buyer;
    Timestamp expires_at;
    Timestamp ends_at;
    bool strong = false;
};
Session to_session(SessionRow row);

struct BlockRow {
    BlockId id;
    std::string subject;
    std::string reason;
    std::optional<Timestamp> until;
    Timestamp at;
    UserId by;
};
/// CHECKs that the subject is one in its canonical form, because only those are written.
Block to_block(BlockRow row);
BlockRow to_row(const Block& block);

}  // namespace sluice
