#include "adapters/sql/user_rows.hpp"

#include <utility>

#include "base/check.hpp"

namespace sluice {

User to_user(UserRow row) {
    return {.id = row.id,
            .phone = std::move(row.phone),
            .name = std::move(row.name),
            .role = row.role,
            .created_at = row.created_at};
}

UserRow to_row(const User& user) {
    return {.id = user.id,
            .phone = user.phone,
            .name = user.name,
            .role = user.role,
            .created_at = user.created_at};
}

Account to_account(AccountRow row) {
    return {.user = to_user(std::move(row.user)), .password_hash = std::move(row.password_hash)};
}

Session to_session(SessionRow row) {
    return {.user_id = row.user,
            .name = std::move(row.name),
            .role = row.role,
            .expires_at = row.expires_at,
            .ends_at = row.ends_at,
            .strong = row.strong};
}

Block to_block(BlockRow row) {
    const auto subject = parse_block_subject(row.subject);
    CHECK(subject, "only subjects in their canonical form are written");
    return {.id = row.id,
            .subject = *subject,
            .reason = std::move(row.reason),
            .until = row.until,
            .at = row.at,
            .by = row.by};
}

BlockRow to_row(const Block& block) {
    return {.id = block.id,
            .subject = to_string(block.subject),
            .reason = block.reason,
            .until = block.until,
            .at = block.at,
            .by = block.by};
}

}  // namespace sluice
