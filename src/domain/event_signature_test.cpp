#include "domain/event_signature.hpp"

#include <array>

#include <gtest/gtest.h>

namespace sluice {
namespace {

using std::chrono::seconds;

constexpr std::string_view kBody = R"({"id":"1"})";
const std::array<std::string, 2> kSecrets{"the secret of last year", "the secret of this year"};
const Timestamp kNow{seconds{1'700'000'000}};

std::optional<SignatureFlaw> flaw(std::string_view signature, Timestamp now = kNow,
                                  std::string_view body = kBody) {
    return find_flaw(signature, body, kSecrets, now, seconds{300});
}

TEST(EventSignature, IsTheHmacOfTimeAndBody) {
    // printf '1700000000.{"id":"1"}' | openssl dgst -sha256 -hmac 'the secret of this year'
    EXPECT_EQ(sign_event(kSecrets[1], kBody, kNow),
              "t=1700000000,v1=39411aa458cb3579fba3dbca882279c188b5426c6e68c2fee988a3187fc8ba3b");
}

TEST(EventSignature, ComesFromEitherSecret) {
    for (const auto& secret : kSecrets)
        EXPECT_EQ(flaw(sign_event(secret, kBody, kNow)), std::nullopt);
    EXPECT_EQ(flaw(sign_event("nobody's secret", kBody, kNow)), SignatureFlaw::wrong);
    EXPECT_EQ(find_flaw(sign_event("", kBody, kNow), kBody, {}, kNow, seconds{300}),
              SignatureFlaw::wrong)
        << "no secret is no way in";
}

TEST(EventSignature, IsOfThisBody) {
    EXPECT_EQ(flaw(sign_event(kSecrets[0], kBody, kNow), kNow, ""), SignatureFlaw::wrong);
}

TEST(EventSignature, HoldsAsLongAsTheToleranceToTheMillisecond) {
    const auto signature = sign_event(kSecrets[0], kBody, kNow);
    const std::chrono::milliseconds one{1};
    EXPECT_EQ(flaw(signature, kNow + seconds{300}), std::nullopt);
    EXPECT_EQ(flaw(signature, kNow + seconds{300} + one), SignatureFlaw::stale);
    EXPECT_EQ(flaw(signature, kNow - seconds{300}), std::nullopt);
    EXPECT_EQ(flaw(signature, kNow - seconds{300} - one), SignatureFlaw::stale);
}

TEST(EventSignature, MayStandAmongOthers) {
    const auto signature = sign_event(kSecrets[0], kBody, kNow);
    const std::string other(64, '0');
    EXPECT_EQ(flaw("v1=" + other + ", " + signature + ",v2=new"), std::nullopt);
}

TEST(EventSignature, ThatIsNoneIsRefused) {
    const auto signature = sign_event(kSecrets[0], kBody, kNow);
    const auto digest = signature.substr(signature.find("v1="));
    for (const auto& text :
         {std::string(), std::string("t=1700000000"), digest, "t=," + digest, "t=-1," + digest,
          "t=1700000000x," + digest, "t=99999999999999999999," + digest,
          "t=1700000000," + signature, signature.substr(0, signature.size() - 1), signature + "0",
          signature.substr(0, signature.size() - 1) + "g"})
        EXPECT_EQ(flaw(text), SignatureFlaw::malformed) << text;
    std::string many = "t=1700000000";
    for (int i = 0; i < 9; ++i) many += "," + digest;
    EXPECT_EQ(flaw(many), SignatureFlaw::malformed);
}

}  // namespace
}  // namespace sluice
