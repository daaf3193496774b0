#include "domain/totp.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace std::chrono_literals;

Totp::Secret secret_of_the_rfc() {
    Totp::Secret secret;
    std::ranges::copy_n("12345678901234567890", 20, secret.begin());
    return secret;
}

Timestamp at(std::int64_t seconds) {
    return Timestamp{std::chrono::seconds{seconds}};
}

TEST(Totp, MakesTheCodesOfRfc6238) {
    const Totp totp(secret_of_the_rfc());
    const struct {
        std::int64_t seconds;
        const char* code;  // the last six digits of appendix B
    } rows[] = {{59, "287082"},         {1111111109, "081804"}, {1111111111, "050471"},
                {1234567890, "005924"}, {2000000000, "279037"}, {20000000000, "353130"}};
    for (const auto& [seconds, code] : rows)
        EXPECT_EQ(totp.code_at(Totp::step_at(at(seconds))), code) << seconds;
}

TEST(Totp, ACodeCountsFromOneStepBeforeToOneAfter) {
    const Totp totp(secret_of_the_rfc());
    const auto code = totp.code_at(1000);
    EXPECT_FALSE(totp.find_step(code, at(999 * 30) - 1ms, 0));
    EXPECT_EQ(totp.find_step(code, at(999 * 30), 0), 1000);
    EXPECT_EQ(totp.find_step(code, at(1002 * 30) - 1ms, 0), 1000);
    EXPECT_FALSE(totp.find_step(code, at(1002 * 30), 0));
}

TEST(Totp, ACodeCountsOnce) {
    const Totp totp(secret_of_the_rfc());
    EXPECT_TRUE(totp.find_step(totp.code_at(1000), at(30'000), 999));
    EXPECT_FALSE(totp.find_step(totp.code_at(1000), at(30'000), 1000));
    EXPECT_FALSE(totp.find_step(totp.code_at(999), at(30'000), 1000)) << "nor one before it";
    EXPECT_TRUE(totp.find_step(totp.code_at(1001), at(30'000), 1000));
}

TEST(Totp, NothingElseIsACode) {
    const Totp totp(secret_of_the_rfc());
    const auto code = totp.code_at(1000);
    for (const auto& other : {std::string(), code + "0", code.substr(1), " " + code,
                              std::string(1'000'000, '0'), std::string("abcdef")})
        EXPECT_FALSE(totp.find_step(other, at(30'000), 0));
}

TEST(Totp, IsWrittenAsAuthenticatorsReadIt) {
    const Totp totp(secret_of_the_rfc());
    EXPECT_EQ(totp.secret_text(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    EXPECT_EQ(totp.uri("Tea & Co", "+8613712345678"),
              "otpauth://totp/Tea%20%26%20Co:%2B8613712345678?secret="
              "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tea%20%26%20Co");
}

TEST(RecoveryCode, IsReadHoweverItIsTyped) {
    const auto code = RecoveryCode::make({1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_EQ(code.size(), 14u);
    auto letters = code;
    std::erase(letters, '-');
    EXPECT_EQ(RecoveryCode::parse(code), letters);
    EXPECT_EQ(RecoveryCode::parse(letters), letters);
    auto shouted = code;
    std::ranges::transform(shouted, shouted.begin(), [](char c) {
        return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    });
    EXPECT_EQ(RecoveryCode::parse(" " + shouted), letters);
    EXPECT_NE(RecoveryCode::make({1, 2, 3, 4, 5, 6, 7, 9}), code);
    for (const auto& other : {std::string(), letters + "a", letters.substr(1), std::string(12, '0'),
                              std::string(12, '\0'), std::string(100'000, 'a')})
        EXPECT_FALSE(RecoveryCode::parse(other));
}

}  // namespace
}  // namespace sluice
