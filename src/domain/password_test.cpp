#include "domain/password.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

std::optional<Rule> rule_against(std::string_view password,
                                 std::string_view phone = "+8613712345678") {
    const auto complaint = check_new_password(password, phone);
    return complaint ? std::optional(complaint->rule) : std::nullopt;
}

TEST(NewPassword, HasEightTo128Characters) {
    EXPECT_EQ(rule_against("abz4567"), Rule::characters_from_to);
    EXPECT_EQ(rule_against("abz45678"), std::nullopt);
    EXPECT_EQ(rule_against("密码密钥保险门锁"), std::nullopt);
    std::string longest = "tea ";
    while (longest.size() < 128) longest += static_cast<char>('a' + longest.size() * 7 % 23);
    EXPECT_EQ(rule_against(longest), std::nullopt);
    EXPECT_EQ(rule_against(longest + "x"), Rule::characters_from_to);
    EXPECT_EQ(rule_against("\xff\xfe green tea"), Rule::not_utf8);
    EXPECT_EQ(rule_against("green\ttea pot"), Rule::has_control_characters);
}

TEST(NewPassword, IsNotAmongTheFirstThatAreTried) {
    for (const char* password :
         {"password",    "Password1",  "PASSWORD123!", "p@ssw0rd", "P@$$w0rd2026",  "12345678",
          "123456789",   "1234567890", "87654321",     "00000000", "88888888",      "abcabcabc",
          "12121212",    "qwertyui",   "qwerty123",    "1qaz2wsx", "abcdefgh",      "zyxwvuts",
          "iloveyou1",   "woaini520",  "5201314520",   "admin123", "administrator", "letmein!!",
          "welcome2026", "test1234",   "aaaaaaaaaaaa", "1q2w3e4r"})
        EXPECT_EQ(rule_against(password, "+8613796403185"), Rule::common_password) << password;
}

TEST(NewPassword, MayBeAnyOther) {
    for (const char* password :
         {"correct horse battery", "correct horse", "green tea at 5", "Tr0ub4dor&3", "passwordless",
          "my dog is called Dragon", "k7#mQ2!x", "testament of youth", "20011225x"})
        EXPECT_EQ(rule_against(password), std::nullopt) << password;
    EXPECT_EQ(rule_against(std::string(16, 'x')), Rule::common_password);
    EXPECT_EQ(rule_against(std::string(17, 'x')), std::nullopt) << "on nobody's list";
}

TEST(NewPassword, IsNotThePhone) {
    for (const char* phone : {"13712345678", "+8613712345678", "008613712345678"})
        for (const char* password :
             {"13712345678", "+8613712345678", "008613712345678", "137-1234-5678", "712345678"})
            EXPECT_EQ(rule_against(password, phone), Rule::password_is_phone)
                << phone << " " << password;
    EXPECT_EQ(rule_against("13798765432"), std::nullopt) << "somebody else's";
    EXPECT_EQ(rule_against("10000001", "+8610000001"), Rule::password_is_phone);
}

}  // namespace
}  // namespace sluice
