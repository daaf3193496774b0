#include "gate/credential.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

class CredentialTest : public testing::Test {
  protected:
    Config config;
    http::Request request;

    std::string_view token(std::vector<http::Request::Field> fields) {
        request.fields = std::move(fields);
        return credential_of(request, config).token;
    }
};

TEST_F(CredentialTest, TheHeaderCountsBeforeTheCookie) {
    EXPECT_EQ(token({{"Cookie", "sluice_session=c"}, {"Authorization", "Bearer h"}}), "h");
    EXPECT_FALSE(credential_of(request, config).from_cookie);
    EXPECT_EQ(token({{"Cookie", "a=b; sluice_session=c; xsluice_session=no"}}), "c");
    EXPECT_TRUE(credential_of(request, config).from_cookie);
    EXPECT_EQ(token({{"Cookie", "xsluice_session=c"}}), "");
}

TEST_F(CredentialTest, OfTwoCookiesNeitherCounts) {
    EXPECT_EQ(token({{"Cookie", "sluice_session=a; sluice_session=b"}}), "");
    EXPECT_EQ(token({{"Cookie", "sluice_session=a; sluice_session=a"}}), "");
    EXPECT_EQ(token({{"Cookie", "sluice_session=a"}, {"cookie", "sluice_session=b"}}), "");
    EXPECT_EQ(token({{"Cookie", "theme=dark"}, {"cookie", "sluice_session=b"}}), "b");
}

TEST_F(CredentialTest, OverHttpsOnlyTheCookieOfTheHostCounts) {
    config.public_url = "https://shop.example";
    EXPECT_EQ(token({{"Cookie", "sluice_session=planted; __Host-sluice_session=real"}}), "real");
    EXPECT_EQ(token({{"Cookie", "sluice_session=planted"}}), "");
    config.public_url = "";
    EXPECT_EQ(token({{"Cookie", "__Host-sluice_session=real"}}), "");

    config.http.trusted_proxies = {*Network::parse("10.0.0.0/8")};
    request.peer = *Address::parse("10.0.0.1");
    EXPECT_EQ(token({{"Cookie", "__Host-sluice_session=real"}, {"X-Forwarded-Proto", "https"}}),
              "real");
    EXPECT_EQ(token({{"Cookie", "__Host-sluice_session=real"}, {"X-Forwarded-Proto", "http"}}), "");
}

}  // namespace
}  // namespace sluice::gate
