#include "http/message_parser.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

constexpr std::size_t kFields = 8;
constexpr std::size_t kBody = 16;

struct Reading {
    std::optional<Code> refused;
    bool complete = false;
    std::size_t used = 0;  // of the bytes behind the head
    Request request;
    std::string body;
};

/// `step` bytes at a time; what is not taken comes again with the next ones, as in a connection.
void read(Reading& reading, std::string_view head, std::string_view rest, std::size_t step) {
    MessageParser parser(reading.request, reading.body, kFields, kBody);
    reading.refused = parser.parse_head(head);
    for (std::size_t have = 0; !reading.refused && !parser.complete() && have < rest.size();) {
        have = std::min(have + step, rest.size());
        std::size_t taken = 0;
        reading.refused = parser.parse_body(rest.substr(reading.used, have - reading.used), taken);
        reading.used += taken;
    }
    reading.complete = !reading.refused && parser.complete();
}

TEST(MessageParser, ReadsAHead) {
    Reading reading;
    const std::string head =
        "PUT /a%20b?x=1?2 HTTP/1.1\r\nHost: shop:8080\r\nX-A:  b c \r\nX-A: d\r\n\r\n";
    read(reading, head, "", 1);
    EXPECT_TRUE(reading.complete);
    EXPECT_EQ(reading.request.method, Method::put);
    EXPECT_EQ(reading.request.path, "/a%20b");
    EXPECT_EQ(reading.request.query, "x=1?2");
    EXPECT_EQ(reading.request.header("x-a"), "b c");
    EXPECT_TRUE(reading.request.keep_alive);
    EXPECT_FALSE(reading.request.http_1_0);
}

// As a route may allow it.
TEST(MessageParser, ABodyMayBeLongerWhereTheHeadAllowsIt) {
    const MessageParser::LongestBody longest = [](const Request& request) {
        return request.path == "/long" ? 2 * kBody : std::size_t{0};
    };
    const auto refused = [&](std::string_view path, std::size_t size, bool chunked) {
        Request request;
        std::string body;
        MessageParser parser(request, body, kFields, kBody);
        parser.ask_for_longest_body(longest);
        const std::string head =
            "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" +
            (chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + std::to_string(size)) +
            "\r\n\r\n";
        if (const auto code = parser.parse_head(head)) return code;
        const std::string part(size, 'x');
        std::size_t taken = 0;
        const auto code =
            parser.parse_body(chunked ? "20\r\n" + part + "\r\n0\r\n\r\n" : part, taken);
        if (!code) {
            EXPECT_EQ(body, part);
        }
        return code;
    };
    EXPECT_EQ(refused("/long", 2 * kBody, false), std::nullopt);
    EXPECT_EQ(refused("/long", 2 * kBody + 1, false), Code::too_large);
    EXPECT_EQ(refused("/short", kBody, false), std::nullopt);
    EXPECT_EQ(refused("/short", kBody + 1, false), Code::too_large);
    EXPECT_EQ(refused("/long", 2 * kBody, true), std::nullopt);
    EXPECT_EQ(refused("/short", 2 * kBody, true), Code::too_large);
}

TEST(MessageParser, TakesTheAuthorityOfAnAbsoluteTargetBeforeTheHost) {
    Reading reading;
    const std::string head = "GET https://shop:1/a?b HTTP/1.1\r\nHost: other\r\n\r\n";
    read(reading, head, "", 1);
    EXPECT_TRUE(reading.complete);
    EXPECT_EQ(reading.request.authority, "shop:1");
    EXPECT_EQ(reading.request.path, "/a");
    EXPECT_EQ(reading.request.query, "b");

    const std::string plain = "GET /a HTTP/1.1\r\nHost: other\r\n\r\n";
    Reading from_host;
    read(from_host, plain, "", 1);
    EXPECT_EQ(from_host.request.authority, "other");
}

TEST(MessageParser, RefusesAFieldTwiceThatMayOccurOnce) {
    for (const std::string name : {"Authorization", "Content-Type", "Idempotency-Key", "Origin",
                                   "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-Fetch-Site",
                                   "Sluice-Signature", "idempotency-KEY", "sluice-signature"}) {
        const std::string once = "POST / HTTP/1.1\r\nHost: a\r\n" + name + ": b\r\n";
        const std::string one = once + "X-A: c\r\nX-A: c\r\n\r\n";
        const std::string two = once + "X-A: c\r\n" + name + ": b\r\n\r\n";
        Reading reading;
        read(reading, one, "", 1);
        EXPECT_TRUE(reading.complete) << name;
        Reading again;
        read(again, two, "", 1);
        EXPECT_EQ(again.refused, Code::malformed) << name;
    }
}

TEST(MessageParser, KnowsWhoStays) {
    const std::pair<const char*, bool> rows[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false},
        {"GET / HTTP/1.0\r\n\r\n", false},
        {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
    };
    for (const auto& [head, stays] : rows) {
        Reading reading;
        read(reading, head, "", 1);
        EXPECT_TRUE(reading.complete) << head;
        EXPECT_EQ(reading.request.keep_alive, stays) << head;
    }
}

TEST(MessageParser, RefusesHeadsThatCanBeMisread) {
    const std::string rows[] = {
        "GET / HTTP/1.1\r\n\r\n",                        // no Host
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",  // two
        "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: " + std::string(256, 'a') + "\r\n\r\n",
        "GET / HTTP/1.2\r\nHost: a\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://user@a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /#top HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    };
    for (const auto& head : rows) {
        Reading reading;
        read(reading, head, "", 1);
        EXPECT_EQ(reading.refused, Code::malformed) << head;
    }
}

TEST(MessageParser, CountsFields) {
    for (const std::size_t more : {kFields - 1, kFields}) {
        std::string head = "GET / HTTP/1.1\r\nHost: a\r\n";
        for (std::size_t i = 0; i < more; ++i) head += "X: y\r\n";
        Reading reading;
        read(reading, head + "\r\n", "", 1);
        EXPECT_EQ(reading.complete, more < kFields);
        if (more == kFields) {
            EXPECT_EQ(reading.refused, Code::header_too_large);
        }
    }
}

TEST(MessageParser, ReadsABodyHoweverItArrivesAndLeavesTheNextRequest) {
    const std::string next = "GET /next HTTP/1.1\r\n";
    const std::pair<std::string, std::string> rows[] = {
        {"Content-Length: 16", "0123456789abcdef"},
        {"Transfer-Encoding: chunked", "a\r\n0123456789\r\n6;ext=1\r\nabcdef\r\n0\r\n\r\n"},
        {"Transfer-Encoding: chunked",
         "a ; a=\"x;\\\"y\"\r\n0123456789\r\n6\t;b\r\nabcdef\r\n0;c=\"\"\r\n\r\n"},
        {"Transfer-Encoding: chunked", "a \t\r\n0123456789\r\n6 \t;b\r\nabcdef\r\n0 \r\n\r\n"},
        {"Transfer-Encoding: Chunked", "0010\r\n0123456789abcdef\r\n000;a\r\n\r\n"},
    };
    for (const auto& [field, sent] : rows) {
        const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n";
        const std::string rest = sent + next;
        for (std::size_t step = 1; step <= rest.size(); ++step) {
            Reading reading;
            read(reading, head, rest, step);
            ASSERT_TRUE(reading.complete) << sent << " by " << step;
            EXPECT_EQ(reading.body, "0123456789abcdef") << sent << " by " << step;
            EXPECT_EQ(reading.used, sent.size()) << sent << " by " << step;
        }
    }
}

TEST(MessageParser, RefusesBodiesThatAreTooLarge) {
    Reading told;
    read(told, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\n\r\n", "", 1);
    EXPECT_EQ(told.refused, Code::too_large);
    const char* const chunked[] = {
        "11\r\n",
        "8\r\n01234567\r\n9\r\n012345678\r\n0\r\n\r\n",
        "7fffffffffffffff\r\n",
    };
    for (const auto* rest : chunked) {
        Reading reading;
        read(reading, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", rest, 64);
        EXPECT_EQ(reading.refused, Code::too_large) << rest;
    }
}

TEST(MessageParser, RefusesBadChunksAndAllTrailers) {
    const std::string rows[] = {
        "x\r\n",
        "-1\r\n",
        "+1\r\na\r\n",
        "0x1\r\na\r\n0\r\n\r\n",
        "1\na\r\n",
        "1\r\nab\r\n0\r\n\r\n",
        "1;" + std::string(300, 'e') + "\r\na\r\n",
        "2;a=\"x\ny\"\r\n{}\r\n0\r\n\r\n",
        std::string("2;a=\"x") + '\0' + "y\"\r\n{}\r\n0\r\n\r\n",
        "2;a=\"x\r\n{}\r\n0\r\n\r\n",    // the quote is not closed
        "2;a=\"x\\\r\n{}\r\n0\r\n\r\n",  // nor here, where it ends in a backslash
        "2;a=x\ry\r\n{}\r\n0\r\n\r\n",
        "2;\r\n{}\r\n0\r\n\r\n",  // without a name
        "2; \r\n{}\r\n0\r\n\r\n",
        "2;a;\r\n{}\r\n0\r\n\r\n",
        "2;;a\r\n{}\r\n0\r\n\r\n",
        "2;\"a\"\r\n{}\r\n0\r\n\r\n",
        "2 x\r\n{}\r\n0\r\n\r\n",
        "2\t3\r\n{}\r\n0\r\n\r\n",
        "2 \"\"\r\n{}\r\n0\r\n\r\n",
        "2 =x\r\n{}\r\n0\r\n\r\n",
        "2" + std::string(300, ' ') + "\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}\r\n0 0\r\n\r\n",
        "2\x0b\r\n{}\r\n0\r\n\r\n",
        "2;\x7f\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}\r\n0;a=\"\r\n\r\n",
        "00000000000000002\r\n{}\r\n0\r\n\r\n",
        "0\r\nA: b\r\n\r\n",
        "0\r\nA: b\r\n c\r\n\r\n",  // folded
        "1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n",
        "0\r\nTransfer-Encoding: chunked\r\n\r\n",
    };
    for (const auto& rest : rows)
        for (const std::size_t step : {std::size_t{1}, rest.size()}) {
            Reading reading;
            read(reading, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", rest,
                 step);
            EXPECT_EQ(reading.refused, Code::malformed) << rest << " by " << step;
        }
}

TEST(MessageParser, NoticesWhoWaitsForAnInvitation) {
    for (const auto* expect : {"100-continue", "100-Continue"}) {
        Request request;
        std::string body;
        MessageParser parser(request, body, kFields, kBody);
        const auto head =
            std::string("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: ") + expect +
            "\r\n\r\n";
        EXPECT_EQ(parser.parse_head(head), std::nullopt);
        EXPECT_TRUE(parser.expects_continue());
        EXPECT_FALSE(parser.complete());
    }
}

}  // namespace
}  // namespace sluice::http
