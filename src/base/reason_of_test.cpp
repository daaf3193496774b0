#include "base/reason_of.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ReasonOf, IsWhatTheExceptionSays) {
    EXPECT_EQ(reason_of(std::make_exception_ptr(std::runtime_error("the disk is full"))),
              "the disk is full");
    EXPECT_EQ(reason_of(std::make_exception_ptr(7)), "an exception of unknown type");
}

}  // namespace
}  // namespace sluice
