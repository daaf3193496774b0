#include "gate/origins.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

constexpr const char* kOther = "https://partner.example";

class OriginsTest : public testing::Test {
  protected:
    Config config;
    http::Exchange exchange;

    void send(std::vector<http::Request::Field> fields) {
        exchange.request.fields = std::move(fields);
        exchange.request.authority = "shop.example";
    }
    bool ours() const { return Origins(config).is_ours(exchange.request); }
    bool foreign() const { return Origins(config).is_foreign(exchange.request); }
};

TEST_F(OriginsTest, KnowOurOwnPages) {
    config.public_url = "https://www.shop.example";
    config.http.cors_origins = {kOther};
    const struct {
        std::vector<http::Request::Field> fields;
        bool ours, foreign;
    } rows[] = {
        {{}, false, false},  // a program, or an old browser: nothing is certain
        {{{"Origin", "http://shop.example"}}, true, false},
        {{{"Origin", "https://shop.example"}}, false, true},  // not as this request came
        {{{"Origin", "https://www.shop.example"}}, true, false},
        {{{"Origin", "https://evil.example"}}, false, true},
        {{{"Origin", "https://shop.example.evil"}}, false, true},
        {{{"Origin", "https://shop.example:8443"}}, false, true},
        {{{"Origin", "null"}}, false, true},
        {{{"Origin", kOther}}, false, false},
        {{{"Sec-Fetch-Site", "same-origin"}}, true, false},
        {{{"Sec-Fetch-Site", "none"}}, false, false},
        {{{"Sec-Fetch-Site", "same-site"}}, false, true},
        {{{"Sec-Fetch-Site", "cross-site"}}, false, true},
    };
    for (const auto& row : rows) {
        send(row.fields);
        const auto what = row.fields.empty() ? "nothing" : row.fields[0].value;
        EXPECT_EQ(ours(), row.ours) << what;
        EXPECT_EQ(foreign(), row.foreign) << what;
    }
}

TEST_F(OriginsTest, APageOfOurHostOverPlainHttpIsNotOursOverHttps) {
    config.public_url = "https://shop.example";
    send({{"Origin", "http://shop.example"}});
    EXPECT_FALSE(ours());
    EXPECT_TRUE(foreign());
    send({{"Origin", "https://shop.example"}});
    EXPECT_TRUE(ours());

    config.public_url = "";
    config.http.trusted_proxies = {*Network::parse("10.0.0.0/8")};
    exchange.request.peer = *Address::parse("10.0.0.1");
    const struct {
        const char *origin, *proto;
        bool ours;
    } rows[] = {
        {"https://shop.example", "https", true}, {"http://shop.example", "https", false},
        {"https://shop.example", "http", false}, {"http://shop.example", "http", true},
        {"https://shop.example", "", false},     {"http://shop.example", "", true},
        {"ftp://shop.example", "", false},
    };
    for (const auto& row : rows) {
        send({{"Origin", row.origin}, {"X-Forwarded-Proto", row.proto}});
        EXPECT_EQ(ours(), row.ours) << row.origin << ' ' << row.proto;
    }
}

TEST_F(OriginsTest, SayNothingUnlessConfigured) {
    send({{"Origin", kOther}, {"Access-Control-Request-Method", "POST"}});
    exchange.request.method = http::Method::options;
    const Origins origins(config);
    origins.mark(exchange);
    EXPECT_FALSE(origins.answer_preflight(exchange, "POST"));
    EXPECT_EQ(exchange.response.extra_headers(), "");
}

TEST_F(OriginsTest, MarkAnswersForListedOriginsOnly) {
    config.http.cors_origins = {kOther};
    const Origins origins(config);
    send({{"Origin", "https://evil.example"}});
    origins.mark(exchange);
    EXPECT_EQ(exchange.response.extra_headers(), "Vary: Origin\r\n");

    exchange.response.clear();
    send({{"Origin", kOther}});
    origins.mark(exchange);
    const std::string headers(exchange.response.extra_headers());
    EXPECT_NE(headers.find("Access-Control-Allow-Origin: https://partner.example\r\n"),
              headers.npos);
    EXPECT_EQ(headers.find("Credentials"), headers.npos) << "the cookie stays at home";
}

}  // namespace
}  // namespace sluice::gate
