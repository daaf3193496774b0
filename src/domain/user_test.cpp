#include "domain/user.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

bool registers(std::string_view phone, std::string_view password, std::string_view name = "") {
    return check_registration(phone, password, name).empty();
}

TEST(User, PhonesAreDigits) {
    for (const char* phone : {"12345", "+12345", "12345678901234567890", "+12345678901234567890"})
        EXPECT_TRUE(registers(phone, "green tea pot")) << phone;
    for (const char* phone :
         {"", "+", "1234", "123456789012345678901", "12 345", "12345x", "++12345", "１２３４５"})
        EXPECT_FALSE(registers(phone, "green tea pot")) << phone;
}

TEST(User, PasswordsAreNoneThatAreGuessedFirst) {
    EXPECT_FALSE(registers("12345", "short"));
    EXPECT_FALSE(registers("12345", "password"));
    EXPECT_FALSE(registers("13712345678", "+8613712345678"));
}

TEST(User, NamesAreShortAndPlain) {
    EXPECT_TRUE(registers("12345", "green tea pot", std::string(64, 'x')));
    EXPECT_FALSE(registers("12345", "green tea pot", std::string(65, 'x')));
    EXPECT_FALSE(registers("12345", "green tea pot", "a\x1b[31m"));
}

TEST(User, ANamelessUserIsCalledByTheLastDigits) {
    EXPECT_EQ(default_name("13800001234"), "\u2022\u2022\u20221234");
}

TEST(Role, GoesBothWays) {
    for (const Role role : {Role::buyer, Role::support, Role::operator_, Role::admin})
        EXPECT_EQ(parse_role(to_string(role)), role);
    EXPECT_FALSE(parse_role("root"));
}

TEST(Role, SupportIsOfTheStaffAndDoesNotOperate) {
    const struct {
        Role role;
        bool staff, operates;
    } rows[] = {{Role::buyer, false, false},
                {Role::support, true, false},
                {Role::operator_, true, true},
                {Role::admin, true, true}};
    for (const auto& [role, staff, operates] : rows) {
        EXPECT_EQ(is_staff(role), staff) << to_string(role);
        EXPECT_EQ(may_operate(role), operates) << to_string(role);
    }
}

TEST(Role, OnlyAdminsChangeRoles) {
    using enum Role;
    const struct {
        Role actor, from, to;
        Detail why_not;
    } rows[] = {
        {operator_, buyer, operator_, Detail::admins_only},
        {operator_, operator_, buyer, Detail::admins_only},
        {operator_, buyer, admin, Detail::admins_only},
        {operator_, admin, buyer, Detail::admins_only},
        {operator_, admin, admin, Detail::admins_only},
        {operator_, buyer, support, Detail::admins_only},
        {support, buyer, support, Detail::admins_only},
        {support, operator_, buyer, Detail::admins_only},
        {admin, buyer, support, Detail::none},
        {admin, support, operator_, Detail::none},
        {admin, buyer, operator_, Detail::none},
        {admin, operator_, buyer, Detail::none},
        {admin, buyer, admin, Detail::none},
        {admin, admin, buyer, Detail::none},
        {admin, admin, operator_, Detail::none},
    };
    for (const auto& [actor, from, to, why_not] : rows) {
        const User user{.id = UserId{2}, .phone = "", .name = "", .role = from, .created_at = {}};
        const auto refusal = check_role_change(UserId{1}, actor, user);
        EXPECT_EQ(refusal ? refusal->detail : Detail::none, why_not)
            << to_string(actor) << to_string(from) << to_string(to);
        EXPECT_EQ(check_role_change(user.id, actor, user)->detail, Detail::own_role);
    }
}

TEST(Role, StaysWhenItHasChangedMeanwhileOrNoAdminWouldBeLeft) {
    using enum Role;
    const struct {
        RoleFacts facts;
        Role before, after;
        Detail why_not;
    } rows[] = {
        {{buyer, true}, buyer, operator_, Detail::none},
        {{buyer, false}, buyer, admin, Detail::none},
        {{operator_, true}, buyer, operator_, Detail::changed_meanwhile},
        {{std::nullopt, true}, buyer, operator_, Detail::changed_meanwhile},
        {{admin, true}, admin, buyer, Detail::none},
        {{admin, false}, admin, buyer, Detail::last_admin},
        {{admin, false}, admin, operator_, Detail::last_admin},
        {{admin, false}, admin, support, Detail::last_admin},
        {{admin, false}, admin, admin, Detail::none},
        {{buyer, false}, admin, operator_, Detail::changed_meanwhile},
    };
    for (const auto& [facts, before, after, why_not] : rows) {
        const auto refusal = why_role_stays(facts, before, after);
        EXPECT_EQ(refusal ? refusal->detail : Detail::none, why_not)
            << to_string(before) << to_string(after) << facts.has_other_admin;
        EXPECT_TRUE(!refusal || refusal->reason == Reason::conflict);
    }
}

}  // namespace
}  // namespace sluice
