#include "observe/log.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <boost/json/parse.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/printable.hpp"

namespace sluice {
namespace {

const Timestamp kNow = from_millis(1'794'729'600'123);

class Capture {
  public:
    explicit Capture(Log::Format format, Log::Level least = Log::Level::debug)
        : log(
              least, format, [this](std::string_view line) { out_ << line; }, [] { return kNow; }) {
    }

    std::string text() const { return out_.str(); }

  private:
    std::ostringstream out_;

  public:
    Log log;
};

/// What people put into names to see what happens.
const std::vector<std::string> kHostile{
    "a\nINFO sale.paused sale=1",
    "a\r\n",
    "\x1b[2J",
    "\x7f",
    "\xc2\x9b"
    "2J",  // CSI as one character
    "\x9b"
    "2J",            // and as a bare byte
    "\xe2\x80\xa8",  // line separator
    std::string("\0x", 2),
    "\"} {\"level\":\"error",
    "\\",
    "\xff\xfe",
    "\xed\xa0\x80",      // a surrogate
    "\xc0\x8a",          // an overlong line break
    "\xf4\x90\x80\x80",  // beyond Unicode
    "\xe6\x97",          // cut off
};

TEST(Log, WritesTextForPeople) {
    Capture capture(Log::Format::text);
    const std::string by = "Li \"Tiger\" 李";
    capture.log.info("sale.paused", {{"sale", 1}, {"by", by}, {"ok", true}, {"seconds", 0.25}});
    capture.log.error("disk.full");
    EXPECT_EQ(capture.text(),
              "2026-11-15T08:00:00.123Z INFO sale.paused sale=1 by=\"Li \\\"Tiger\\\" 李\" "
              "ok=true seconds=0.25\n"
              "2026-11-15T08:00:00.123Z ERROR disk.full\n");
}

TEST(Log, WritesJsonForMachines) {
    Capture capture(Log::Format::json);
    capture.log.warn("sale.paused", {{"sale", std::uint64_t{18446744073709551615u}},
                                     {"by", std::string_view("李")},
                                     {"least", INT64_MIN},
                                     {"rate", 0.5},
                                     {"ratio", 0.0 / 0.0},
                                     {"level", "forged"}});
    const auto line = boost::json::parse(capture.text());
    EXPECT_EQ(line.at("at"), "2026-11-15T08:00:00.123Z");
    EXPECT_EQ(line.at("level"), "warn");
    EXPECT_EQ(line.at("event"), "sale.paused");
    EXPECT_EQ(line.at("sale").as_uint64(), 18446744073709551615u);
    EXPECT_EQ(line.at("by"), "李");
    EXPECT_EQ(line.at("least").as_int64(), INT64_MIN);
    EXPECT_EQ(line.at("rate").as_double(), 0.5);
    EXPECT_TRUE(line.at("ratio").is_null());
}

TEST(Log, StaysOneLineWhateverTheTextHolds) {
    for (auto format : {Log::Format::text, Log::Format::json})
        for (const auto& text : kHostile) {
            Capture capture(format);
            capture.log.info("user.added", {{"name", text}, {"id", 7}});
            const auto line = capture.text();
            EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
            EXPECT_TRUE(std::ranges::none_of(line.substr(0, line.size() - 1), [](unsigned char c) {
                return c < 0x20 || c == 0x7f;
            })) << line;
            EXPECT_EQ(printable(line), line) << "already clean";
            if (format == Log::Format::json) {
                boost::json::error_code error;
                const auto parsed = boost::json::parse(line, error);
                ASSERT_FALSE(error) << line;
                EXPECT_EQ(parsed.at("level"), "info");
                EXPECT_EQ(parsed.as_object().size(), 5u);
            }
        }
}

TEST(Printable, KeepsWhatCanBeShown) {
    for (const char* text : {"", "plain", "秒杀大闸", "é", "\xc2\xa0", "\xf0\x9f\x98\x80", "a\tb"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, ReplacesWhatCannot) {
    const std::string mark = "\xEF\xBF\xBD";
    for (const char* text : {"\x7f", "\xc2\x80", "\xc2\x9b", "\xc2\x9f", "\xe2\x80\xa8",
                             "\xe2\x80\xa9", "\x9b", "\xff"})
        EXPECT_EQ(printable('a' + std::string(text) + 'b'), 'a' + mark + 'b');
    // Each byte of what is no character.
    for (const char* text : {"\xe6\x97", "\xc0\x8a"})
        EXPECT_EQ(printable(text + std::string("日")), mark + mark + "日");
    EXPECT_EQ(printable("\xed\xa0\x80"), mark + mark + mark);
    EXPECT_EQ(printable("\xe0\x82\x8a"), mark + mark + mark);
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), mark + mark + mark + mark);
}

TEST(Log, LeavesOutWhatIsBelowItsLevel) {
    Capture capture(Log::Format::text, Log::Level::warn);
    EXPECT_FALSE(capture.log.enabled(Log::Level::info));
    EXPECT_TRUE(capture.log.enabled(Log::Level::warn));
    capture.log.debug("a");
    capture.log.info("b");
    EXPECT_EQ(capture.text(), "");
    capture.log.warn("c");
    EXPECT_EQ(capture.text(), "2026-11-15T08:00:00.123Z WARN c\n");
}

TEST(Log, KeepsLinesWholeAmongThreads) {
    Capture capture(Log::Format::text);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 500; ++i) capture.log.info("tick", {{"by", "thread"}});
        });
    for (auto& thread : threads) thread.join();
    std::istringstream lines(capture.text());
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        ASSERT_EQ(line, "2026-11-15T08:00:00.123Z INFO tick by=\"thread\"");
    EXPECT_EQ(count, 2000);
}

TEST(Log, CountsWhatItLoses) {
    const auto break_off = [](std::string_view) { throw std::runtime_error("no space left"); };
    Log log(Log::Level::info, Log::Format::text, break_off, [] { return kNow; });
    log.info("a");
    log.info("b");
    EXPECT_EQ(log.lost(), 2u);
}

TEST(Log, LivesWithAFullOrClosedStderrAndCountsWhatItLoses) {
    Log log(Log::Level::info, Log::Format::json);
    const int kept = dup(STDERR_FILENO);
    const int full = open("/dev/full", O_WRONLY);
    dup2(full, STDERR_FILENO);
    log.info("full");
    close(STDERR_FILENO);
    log.info("closed");
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(full);
    EXPECT_EQ(log.lost(), 2u);
}

}  // namespace
}  // namespace sluice
