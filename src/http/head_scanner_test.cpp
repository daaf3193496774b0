#include "http/head_scanner.hpp"

#include <string>

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

using Verdict = HeadScanner::Verdict;
using namespace std::string_literals;

TEST(HeadScanner, FindsTheEndHoweverTheBytesArrive) {
    const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const std::string data = head + "GET /next";
    for (std::size_t step = 1; step <= data.size(); ++step) {
        HeadScanner scanner;
        Verdict verdict = Verdict::incomplete;
        for (std::size_t have = step; verdict == Verdict::incomplete; have += step)
            verdict = scanner.scan(std::string_view(data).substr(0, have));
        EXPECT_EQ(verdict, Verdict::complete);
        EXPECT_EQ(scanner.length(), head.size());
    }
}

TEST(HeadScanner, RefusesWhatOthersMightReadDifferently) {
    const std::string rows[] = {
        "GET / HTTP/1.1\nHost: a\r\n\r\n",        // bare LF
        "GET / HTTP/1.1\rHost: a\r\n\r\n",        // bare CR
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",   // obs-fold
        "GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n",  // obs-fold
        "GET / HTTP/1.1\r\n A: b\r\n\r\n",        // folded request line
        "GET / HTTP/1.1\r\nA: \0b\r\n\r\n"s,      // NUL
        "GET / HTTP/1.1\r\nA: \x7f\r\n\r\n",      // DEL
        "\x16\x03\x01\x02\x00\x01\x00"s,          // TLS on the plain port
        "GET /\r\n",                              // HTTP/0.9
        "GET / HTTP/1.2\r\n",                     // unknown versions
        "GET / HTTP/2.0\r\n",
        "\r\n\r\n",                       // no request line
        "GET / HTTP/1.1\r\nA: b\r\n\rX",  // broken empty line
    };
    for (const auto& row : rows) {
        HeadScanner scanner;
        EXPECT_EQ(scanner.scan(row), Verdict::refused) << row;
    }
}

TEST(HeadScanner, JudgesEachByteAloneWhereverItStands) {
    const std::string before = "GET / HTTP/1.1\r\nA: ";
    for (std::size_t place = 0; place < 20; ++place) {
        for (int c = 0; c < 256; ++c) {
            auto value = std::string(20, 'x');
            value[place] = static_cast<char>(c);
            const bool plain = c == '\t' || (c >= 0x20 && c != 0x7f);
            HeadScanner scanner;
            EXPECT_EQ(scanner.scan(before + value + "\r\n\r\n"),
                      plain ? Verdict::complete : Verdict::refused)
                << c << " at " << place;
        }
    }
}

}  // namespace
}  // namespace sluice::http
