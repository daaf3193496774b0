#include "base/timestamp.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Timestamp, IsWrittenInUtcWithMilliseconds) {
    EXPECT_EQ(to_rfc3339(from_millis(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(to_rfc3339(from_millis(1'794'513'600'007)), "2026-11-12T20:00:00.007Z");
}

TEST(Timestamp, ReadsWhatItWrites) {
    for (std::int64_t ms :
         {0LL, 1LL, 951'782'399'999LL, 1'794'513'600'000LL, 253'402'300'799'999LL})
        EXPECT_EQ(parse_rfc3339(to_rfc3339(from_millis(ms))), from_millis(ms));
}

TEST(Timestamp, ReadsOffsetsAndFractions) {
    EXPECT_EQ(parse_rfc3339("1970-01-01T08:00:00+08:00"), from_millis(0));
    EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00.5Z"), from_millis(500));
    EXPECT_EQ(parse_rfc3339("1970-01-01t00:00:00.123456789z"), from_millis(123));
    EXPECT_EQ(parse_rfc3339("2024-02-29T00:00:00Z").has_value(), true);
}

TEST(Timestamp, RefusesEverythingElse) {
    for (const char* text :
         {"", "now", "2026-11-12", "2026-11-12T18:40:00", "2026-11-12 18:40:00Z",
          "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
          "2026-11-12T24:00:00Z", "2026-11-12T18:60:00Z", "2026-11-12T18:40:60Z",
          "2026-11-12T18:40:00.Z", "2026-11-12T18:40:00.1234567890Z", "2026-11-12T18:40:00Z ",
          "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
          "2026-11-12T18:40:00+8:00", "+026-11-12T18:40:00Z"})
        EXPECT_FALSE(parse_rfc3339(text)) << text;
}

}  // namespace
}  // namespace sluice
