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

enum class Step { one = 1, two = 2 };
constexpr Names<Step::two, Step::one> kStepNames({{Step::one, "one"}, {Step::two, "two"}});

TEST(Names, MayBeginAboveZero) {
    EXPECT_EQ(kStepNames.text(Step::one), "one");
    EXPECT_EQ(kStepNames.text(Step::two), "two");
    EXPECT_EQ(kStepNames.parse("two"), Step::two);
    for (const int value : {-1, 0, 3})
        EXPECT_DEATH(kStepNames.text(static_cast<Step>(value)), "one of its values") << value;
}

TEST(Names, AValueThatIsNoneIsABug) {
    EXPECT_DEATH(kSizes.text(static_cast<Size>(2)), "one of its values");
}

}  // namespace
}  // namespace sluice
