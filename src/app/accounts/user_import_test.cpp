#include "app/accounts/user_import.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const std::string kHash(32, 'a');

ImportedTable read(const std::string& csv) {
    return read_import(csv, legacy_schemes().front());
}

std::string error_of(const std::string& line) {
    const auto table = read(line);
    if (table.errors.empty()) return "";
    EXPECT_TRUE(table.users.empty()) << line;
    return table.errors.front().message;
}

TEST(UserImport, ReadsPeopleWithOrWithoutAHeader) {
    const std::string rows = "+8613800000001,\"Li, Ming\",s1," + kHash + ",operator\r\n" +
                             "13800000002,,s2," + std::string(32, 'B') + ",\n";
    for (const std::string header :
         {"", "phone,name,salt,hash,role\n", "Phone,NAME,salt,hash,role\r\n"}) {
        const auto table = read(header + rows);
        EXPECT_TRUE(table.errors.empty());
        ASSERT_EQ(table.users.size(), 2u);
        EXPECT_EQ(table.users[0].phone, "+8613800000001");
        EXPECT_EQ(table.users[0].name, "Li, Ming");
        EXPECT_EQ(table.users[0].salt, "s1");
        EXPECT_EQ(table.users[0].role, Role::operator_);
        EXPECT_EQ(table.users[0].line, header.empty() ? 1u : 2u);
        EXPECT_EQ(table.users[1].name, default_name("13800000002"));
        EXPECT_EQ(table.users[1].digest, std::string(32, 'b')) << "as the digest is made";
        EXPECT_EQ(table.users[1].role, Role::buyer);
    }
}

TEST(UserImport, SaysWhatIsWrongWithALine) {
    EXPECT_EQ(error_of("13800000001,n,s," + kHash),
              "has 4 fields, not the five phone,name,salt,hash,role");
    EXPECT_EQ(error_of("1380,n,s," + kHash + ",buyer"),
              "phone must be 5 to 20 digits, with an optional + before them");
    EXPECT_EQ(error_of("13800000001,\xb2\xe8,s," + kHash + ",buyer"), "is not UTF-8");
    EXPECT_EQ(error_of("13800000001,n,," + kHash + ",buyer"), "salt must have 1 to 256 bytes");
    EXPECT_EQ(error_of("13800000001,n,s," + kHash + "a,buyer"),
              "hash must be 32 hex digits, as md5(md5(fixed+password)+salt) makes them");
    EXPECT_NE(error_of("13800000001,n,s," + std::string(32, 'g') + ",buyer"), "");
    EXPECT_EQ(error_of("13800000001,n,s," + kHash + ",root"),
              "role must be buyer, support, operator or admin");
    EXPECT_NE(error_of("13800000001,a\x1b[31m,s," + kHash + ",buyer"), "");
    EXPECT_NE(error_of("13800000001,\"n,s," + kHash + ",buyer"), "");
    EXPECT_NE(error_of("phone,name,hash,salt,role\n"), "") << "another order of columns";
}

TEST(UserImport, APhoneComesOnce) {
    const std::string line = "13800000001,n,s," + kHash + ",buyer\n";
    const auto table = read(line + "13800000002,n,s," + kHash + ",buyer\n" + line);
    ASSERT_EQ(table.errors.size(), 1u);
    EXPECT_EQ(table.errors[0].line, 3u);
    EXPECT_EQ(table.errors[0].message, "the phone is the one of line 1");
}

TEST(UserImport, StopsReadingARuinedFile) {
    std::string csv;
    for (int i = 0; i < 1'000; ++i) csv += "rubbish\n";
    const auto table = read(csv);
    EXPECT_EQ(table.errors.size(), kMaxImportErrors);
    EXPECT_TRUE(table.more_errors);
}

TEST(UserImport, OnePhoneInTwoSpellingsComesTwice) {
    const PhoneForm form(find_country("CN"));
    const auto& scheme = legacy_schemes().front();
    const std::string hash(scheme.digits, 'a');
    const auto table = read_import("13712345678,Lin,s," + hash + ",\n+8613712345678,Lin,s," + hash +
                                       ",\n008613712345679,Wei,s," + hash + ",\n",
                                   scheme, form);
    ASSERT_EQ(table.errors.size(), 1u);
    EXPECT_EQ(table.errors[0].line, 2u);
    EXPECT_EQ(table.errors[0].message, "the phone is the one of line 1");
    ASSERT_EQ(table.users.size(), 2u);
    EXPECT_EQ(table.users[0].phone, "+8613712345678");
    EXPECT_EQ(table.users[1].phone, "+8613712345679");
}

}  // namespace
}  // namespace sluice
