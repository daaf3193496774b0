#include "http/web_socket.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

Request make_upgrade() {
    Request request;
    request.fields = {{"Host", "shop"},
                      {"Connection", "keep-alive, Upgrade"},
                      {"Upgrade", "websocket"},
                      {"Sec-WebSocket-Version", "13"},
                      {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
    return request;
}

TEST(WebSocketUpgrade, IsAskedForWithAllOfItsHeaders) {
    EXPECT_TRUE(asks_for_web_socket(make_upgrade()));
    for (std::size_t i = 1; i < make_upgrade().fields.size(); ++i) {
        auto request = make_upgrade();
        const auto name = request.fields[i].name;
        request.fields.erase(request.fields.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(asks_for_web_socket(request)) << name;
        request.fields.push_back({name, ""});
        EXPECT_FALSE(asks_for_web_socket(request)) << name;
        request.fields.back().value = "nonsense";
        EXPECT_FALSE(asks_for_web_socket(request)) << name;
    }
}

TEST(WebSocketUpgrade, IsAGetOfTodaysHttp) {
    auto request = make_upgrade();
    request.method = Method::head;
    EXPECT_FALSE(asks_for_web_socket(request));
    request = make_upgrade();
    request.http_1_0 = true;
    EXPECT_FALSE(asks_for_web_socket(request));
}

TEST(WebSocketUpgrade, WordsAreReadAsHttpReadsThem) {
    auto request = make_upgrade();
    request.fields[1].value = "UPGRADE";
    request.fields[2].value = "h2c, WebSocket";
    EXPECT_TRUE(asks_for_web_socket(request));
    request.fields[1].value = "not-upgrade";
    EXPECT_FALSE(asks_for_web_socket(request));
}

}  // namespace
}  // namespace sluice::http
