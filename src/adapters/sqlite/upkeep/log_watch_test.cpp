#include "adapters/sqlite/upkeep/log_watch.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"

namespace sluice {
namespace {

class LogWatchTest : public testing::Test {
  protected:
    /// What a look at a log of this length writes.
    std::string look(std::uint64_t bytes) {
        bytes_ = bytes;
        out_.str("");
        run_to_end(watch_.look());
        return out_.str();
    }

  private:
    std::uint64_t bytes_ = 0;
    std::ostringstream out_;
    Log log_{Log::Level::info, Log::Format::text, [this](std::string_view line) { out_ << line; },
             [] { return from_millis(0); }};
    LogWatch watch_{[this] { return bytes_; }, log_};
};

TEST_F(LogWatchTest, TellsWhenItIsLongWhenItHasDoubledAndWhenItIsOver) {
    const auto limit = LogWatch::kLong;
    EXPECT_EQ(look(limit - 1), "");
    EXPECT_NE(look(limit).find("ledger.log_is_long"), std::string::npos);
    EXPECT_EQ(look(limit), "");
    EXPECT_EQ(look(2 * limit - 1), "");
    EXPECT_NE(look(2 * limit).find("ledger.log_is_long"), std::string::npos);
    EXPECT_EQ(look(limit), "") << "not short yet";
    EXPECT_NE(look(0).find("ledger.log_is_short_again"), std::string::npos);
    EXPECT_EQ(look(0), "");
    EXPECT_NE(look(limit).find("ledger.log_is_long"), std::string::npos);
}

}  // namespace
}  // namespace sluice
