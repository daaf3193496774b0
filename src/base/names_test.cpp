#include "base/names.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

enum class Size { small, large };
constexpr Names<Size::large> kSizes({{Size::small, "small"}, {Size::large, "large"}});

TEST(Names, GoBothWays) {
    EXPECT_EQ(kSizes.text(Size::large), "large");
    EXPECT_EQ(kSizes.parse("small"), Size::small);
    EXPECT_EQ(kSizes.parse("Small"), std::nullopt);
    EXPECT_EQ(kSizes.parse(""), std::nullopt);
}

TEST(Names, AValueThatIsNoneIsABug) {
    EXPECT_DEATH(kSizes.text(static_cast<Size>(2)), "one of its values");
}

}  // namespace
}  // namespace sluice
