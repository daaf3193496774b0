#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/refusal.hpp"

namespace sluice {

enum class Role { buyer, support, operator_, admin };

std::string_view to_string(Role);
std::optional<Role> parse_role(std::string_view);

/// Staff may log in to the console, and need what this server asks of staff, such as a second
/// factor.
constexpr bool is_staff(Role role) {
    return role != Role::buyer;
}

/// Operators and admins steer sales; support looks after orders.
constexpr bool may_operate(Role role) {
    return role == Role::operator_ || role == Role::admin;
}

struct User {
    UserId id;
    std::string phone;
    std::string name;
    Role role = Role::buyer;
    Timestamp created_at;
};

/// What is wrong with a registration; empty when nothing is. An empty name is allowed: the phone's
/// last digits are used then.
std::vector<FieldError> check_registration(std::string_view phone, std::string_view password,
                                           std::string_view name);
std::vector<FieldError> check_profile(std::string_view phone, std::string_view name);

/// Why somebody may not give this user another role; nullopt when they may. Only admins change
/// roles, and nobody changes their own, so there is always somebody who can.
std::optional<Refusal> check_role_change(UserId actor, Role actor_role, const User& user);

/// The facts of the ledger when a role is changed.
struct RoleFacts {
    std::optional<Role> present;   // none: there is no such user
    bool has_other_admin = false;  // somebody else than this user is an admin
};
/// Why the role cannot change from `before` to `after`; nullopt when it can. Either the role is
/// another one by now, or nobody would be an admin any more.
std::optional<Refusal> why_role_stays(const RoleFacts& facts, Role before, Role after);

/// The name that is shown for somebody who gave none.
std::string default_name(std::string_view phone);

}  // namespace sluice
