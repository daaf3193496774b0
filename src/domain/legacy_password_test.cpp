#include "domain/legacy_password.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(LegacyPassword, DigestsAreThoseOfTheirSchemes) {
    const struct {
        const char *scheme, *digest;
    } rows[] = {
        {"md5(md5(fixed+password)+salt)", "1991949a3d3ee3ff6c2e8131dc9e641c"},
        {"md5(md5(password)+salt)", "e4826c88ac5a4471ea0a4f092911e4a3"},
        {"md5(password+salt)", "2741137c32ddedeeb868e4484b429679"},
        {"md5(salt+password)", "23899c6974cd8c90f085a14355699a5a"},
        {"sha1(password+salt)", "a884d92b6a78c36b364066027395eb62d84d2c52"},
        {"sha1(salt+password)", "0d4435dd2dade9a76a31964437d4b8f0681e2ca8"},
        {"sha256(password+salt)",
         "baddd084c2690a2ba30372bb896752d68ecfec1be6facef2fe99428f7e28a419"},
        {"sha256(salt+password)",
         "c82d2c45132f6276034ddb3a8e74f65e5a89d6460eda3247d3ebafc6a07bb33a"},
    };
    ASSERT_EQ(legacy_schemes().size(), std::size(rows));
    for (const auto& [name, digest] : rows) {
        const auto* scheme = find_legacy_scheme(name);
        ASSERT_TRUE(scheme) << name;
        EXPECT_EQ(legacy_digest(*scheme, "f1xed", "correct horse", "s4lt"), digest) << name;
        EXPECT_EQ(scheme->digits, std::string_view(digest).size());
    }
    EXPECT_FALSE(find_legacy_scheme("md5"));
}

TEST(LegacyPassword, AWrappedHashComesBackAsItWas) {
    for (const auto& scheme : legacy_schemes()) {
        const WrappedHash hash{&scheme, "s$a\"l\xff t", "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA"};
        const auto again = WrappedHash::parse(hash.text());
        ASSERT_TRUE(again) << hash.text();
        EXPECT_EQ(again->scheme, &scheme);
        EXPECT_EQ(again->salt, hash.salt);
        EXPECT_EQ(again->argon2, hash.argon2);
    }
}

TEST(LegacyPassword, NothingElseLooksLikeAWrappedHash) {
    for (const char* text : {"", "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA", "$legacy$",
                             "$legacy$md5(password+salt)", "$legacy$md5(password+salt)$61",
                             "$legacy$rot13$61$argon2id$", "$legacy$md5(password+salt)$6$a"})
        EXPECT_FALSE(WrappedHash::parse(text)) << text;
}

}  // namespace
}  // namespace sluice
