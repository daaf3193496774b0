#include "observe/trace_id.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(TraceId, IsTakenFromAValidTraceparentOnly) {
    EXPECT_EQ(trace_id("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
              "0af7651916cd43dd8448eb211c80319c");
    for (const char* header : {"", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                               "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                               "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                               "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
        EXPECT_EQ(trace_id(header), "") << header;
}

}  // namespace
}  // namespace sluice
