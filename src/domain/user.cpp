#include "domain/user.hpp"

#include <algorithm>

#include "base/names.hpp"
#include "domain/password.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr Names<Role::admin> kRoles({{Role::buyer, "buyer"},
                                     {Role::support, "support"},
                                     {Role::operator_, "operator"},
                                     {Role::admin, "admin"}});

bool is_phone(std::string_view phone) {
    if (phone.starts_with('+')) phone.remove_prefix(1);
    return phone.size() >= 5 && phone.size() <= 20 &&
           std::ranges::all_of(phone, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string_view to_string(Role role) {
    return kRoles.text(role);
}

std::optional<Role> parse_role(std::string_view text) {
    return kRoles.parse(text);
}

std::vector<FieldError> check_registration(std::string_view phone, std::string_view password,
                                           std::string_view name) {
    std::vector<FieldError> errors;
    if (auto complaint = check_new_password(password, {phone, name}))
        errors.push_back({"password", std::move(*complaint)});
    for (auto& error : check_profile(phone, name)) errors.push_back(std::move(error));
    return errors;
}

std::vector<FieldError> check_profile(std::string_view phone, std::string_view name) {
    std::vector<FieldError> errors;
    if (!is_phone(phone)) errors.push_back({"phone", Complaint(Rule::digits_from_to, 5, 20)});
    if (count_characters(name) > 64)
        errors.push_back({"name", Complaint(Rule::most_characters, 64)});
    else if (has_control_characters(name, false))
        errors.push_back({"name", Rule::has_control_characters});
    return errors;
}

std::optional<Refusal> check_role_change(UserId actor, Role actor_role, const User& user) {
    const auto forbid = [](Detail detail) { return Refusal{Reason::forbidden, detail, {}, {}}; };
    if (actor == user.id) return forbid(Detail::own_role);
    if (actor_role != Role::admin) return forbid(Detail::admins_only);
    return std::nullopt;
}

std::optional<Refusal> why_role_stays(const RoleFacts& facts, Role before, Role after) {
    if (facts.present != before) return Refusal{Reason::conflict, Detail::changed_meanwhile};
    const bool ends_an_admin = before == Role::admin && after != Role::admin;
    if (ends_an_admin && !facts.has_other_admin)
        return Refusal{Reason::conflict, Detail::last_admin};
    return std::nullopt;
}

std::string default_name(std::string_view phone) {
    return "\u2022\u2022\u2022" +
           std::string(phone.substr(phone.size() - std::min<std::size_t>(4, phone.size())));
}

}  // namespace sluice
