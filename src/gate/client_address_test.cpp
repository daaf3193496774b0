#include "gate/client_address.hpp"

#include <gtest/gtest.h>

namespace sluice::gate {
namespace {

TEST(ClientAddress, BelievesOnlyWhatTrustedProxiesSay) {
    const std::vector<Network> proxies{*Network::parse("10.0.0.0/8")};
    const struct {
        const char* peer;
        std::vector<const char*> forwarded;
        const char* expected;
    } rows[] = {
        {"203.0.113.9", {}, "203.0.113.9"},
        {"203.0.113.9", {"198.51.100.1"}, "203.0.113.9"},  // not a proxy of ours
        {"10.0.0.1", {}, "10.0.0.1"},
        {"10.0.0.1", {"198.51.100.1"}, "198.51.100.1"},
        {"10.0.0.1", {"1.2.3.4, 198.51.100.1"}, "198.51.100.1"},     // the client lied
        {"10.0.0.1", {"198.51.100.1, 10.0.0.2"}, "198.51.100.1"},    // two proxies
        {"10.0.0.1", {"198.51.100.1", "10.0.0.2"}, "198.51.100.1"},  // in two fields
        {"10.0.0.1", {"198.51.100.1, rubbish"}, "10.0.0.1"},
        {"10.0.0.1", {"2001:db8::7"}, "2001:db8::7"},
        {"10.0.0.1", {"198.51.100.1:1234"}, "198.51.100.1"},  // with the port
        {"10.0.0.1", {"[2001:db8::7]:1234"}, "2001:db8::7"},
        {"10.0.0.1", {"[2001:db8::7]"}, "2001:db8::7"},
        {"10.0.0.1", {"198.51.100.1 ,\t10.0.0.2,, "}, "198.51.100.1"},
        {"10.0.0.1", {"["}, "10.0.0.1"},
        {"10.0.0.1", {":"}, "10.0.0.1"},
    };
    for (const auto& row : rows) {
        http::Request request;
        request.peer = *Address::parse(row.peer);
        for (const char* value : row.forwarded)
            request.fields.push_back({"x-forwarded-for", value});
        EXPECT_EQ(client_address(request, proxies).text(), row.expected);
    }
}

TEST(ClientAddress, TlsIsWhatATrustedProxySays) {
    const std::vector<Network> proxies{*Network::parse("10.0.0.0/8")};
    const struct {
        const char* peer;
        const char* proto;
        bool expected;
    } rows[] = {
        {"10.0.0.1", "https", true},       {"10.0.0.1", "HTTPS", true},
        {"10.0.0.1", "https, http", true},  // the outer proxy spoke TLS
        {"10.0.0.1", "http", false},       {"10.0.0.1", "", false},
        {"203.0.113.9", "https", false},  // not a proxy of ours
    };
    for (const auto& row : rows) {
        http::Request request;
        request.peer = *Address::parse(row.peer);
        request.fields.push_back({"X-Forwarded-Proto", row.proto});
        EXPECT_EQ(came_over_tls(request, proxies), row.expected) << row.peer << row.proto;
    }
}

}  // namespace
}  // namespace sluice::gate
