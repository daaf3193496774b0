#include "domain/password.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice {
namespace {

std::optional<Rule> rule_against(std::string_view password,
                                 std::string_view phone = "+8613712345678",
                                 std::string_view name = "Li Wei") {
    const auto complaint = check_new_password(password, {phone, name});
    return complaint ? std::optional(complaint->rule) : std::nullopt;
}

TEST(NewPassword, HasEightTo128Characters) {
    EXPECT_EQ(rule_against("hx4%567"), Rule::characters_from_to);
    EXPECT_EQ(rule_against("hx4%5671"), std::nullopt);
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

TEST(NewPassword, IsNoWordInDisguiseAndNothingThatIsMadeOfSuchPieces) {
    for (const char* password :
         {"Dr@g0n99",     "DRAGON2024!",  "!!monkey!!",    "drowssap12",        "password83741",
          "passwordabc",  "loveyou1314",  "zhang19900101", "wangwei88",         "5201314520",
          "iloveyou520",  "1qaz@WSX",     "qweasdzxc",     "qazwsxedc",         "zaq12wsx",
          "q1w2e3r4",     "qwer1234",     "asdf1234",      "abcd1234",          "a1b2c3d4",
          "a123456789",   "aa123456",     "147258369",     "11223344",          "123123123",
          "112233445566", "19900101",     "01021990",      "20011225x",         "1990-01-01",
          "asdfasdf",     "monkeydragon", "shanghai2010",  "woaibeijing",       "caonima123",
          "summer2024!",  "michael1985",  "superman007",   "xxxxxxxxxxxxxxxxx", "liverpool1892",
          "p4ssw0rd!!1",  "1234qwer!",    "0987654321q"})
        EXPECT_EQ(rule_against(password, "+8613796403185"), Rule::common_password) << password;
}

TEST(NewPassword, IsNothingThatAShopInChinaSeesEachDay) {
    for (const char* password :
         {"zhangsan123", "lisi123456",   "wangwu888",  "alibaba123",  "Alibaba2024!", "tianya123",
          "pinduoduo88", "woshishui",    "nishishui1", "woshi123456", "flashsale1",   "miaosha123",
          "MiaoSha2026", "seckill2026",  "asd123asd",  "123abc123",   "qwe123qwe",    "qwer1234!@",
          "1234qwer!@#", "zxcv1234!@#$", "abc!@#123",  "xiaohongshu1"})
        EXPECT_EQ(rule_against(password, "+8613796403185"), Rule::common_password) << password;
}

TEST(NewPassword, HasNotMuchMoreThanThePhoneOrTheNameInIt) {
    for (const char* password : {"a13796403185", "6403185abc", "137964031x", "581304697",
                                 "liwei2024", "LIWEI!!!", "iewil2024"})
        EXPECT_NE(rule_against(password, "+8613796403185"), std::nullopt) << password;
    EXPECT_EQ(rule_against("zsofia!!22", "+8613796403185", "Zsofia Nagy"), Rule::common_password);
    EXPECT_EQ(rule_against("zsofia!!22"), std::nullopt) << "somebody else's name";
    EXPECT_EQ(rule_against("欧阳锋20240101", "+8613796403185", "欧阳锋"), Rule::common_password);
    EXPECT_EQ(rule_against("wei eats green tea", "+8613796403185"), std::nullopt);
}

TEST(NewPassword, MayBeAnyOther) {
    for (const char* password :
         {"correct horse battery", "correct horse", "green tea at 5", "Tr0ub4dor&3", "passwordless",
          "my dog is called Dragon", "k7#mQ2!x", "testament of youth", "83704926", "q8#Lp2zv",
          "密码密钥保险门锁", "a quite different horse", "tea-pot-42-lid", "secret-password",
          "test-password", "green tea", "garage sale in May", "k7#m!@2x", "tin roof tin drum"})
        EXPECT_EQ(rule_against(password), std::nullopt) << password;
}

TEST(NewPassword, MayRepeatOneCharacterIfItIsLong) {
    EXPECT_EQ(rule_against(std::string(16, 'x')), Rule::common_password);
    EXPECT_EQ(rule_against(std::string(128, 'x')), std::nullopt);
}

TEST(NewPassword, IsNotThePhone) {
    for (const char* phone : {"13712345678", "+8613712345678", "008613712345678"})
        for (const char* password :
             {"13712345678", "+8613712345678", "008613712345678", "137-1234-5678", "712345678"})
            EXPECT_EQ(rule_against(password, phone), Rule::password_is_phone)
                << phone << " " << password;
    EXPECT_EQ(rule_against("13796403185"), std::nullopt) << "somebody else's";
    EXPECT_EQ(rule_against("10000001", "+8610000001"), Rule::password_is_phone);
}

}  // namespace
}  // namespace sluice
