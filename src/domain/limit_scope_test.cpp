#include "domain/limit_scope.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(LimitScope, IsReplacedWhileItIsRead) {
    const auto inside = *Address::parse("10.1.2.3");
    LimitScope scope;
    EXPECT_TRUE(scope.enabled());
    EXPECT_FALSE(scope.exempts(inside));
    const auto& before = scope.exempt();
    scope.replace(false, {*Network::parse("10.0.0.0/8")});
    EXPECT_FALSE(scope.enabled());
    EXPECT_TRUE(scope.exempts(inside));
    EXPECT_FALSE(scope.exempts(*Address::parse("11.0.0.1")));
    EXPECT_TRUE(before.empty()) << "whoever reads the old list goes on reading it";
    scope.replace(true, {});
    EXPECT_FALSE(scope.exempts(inside));
}

}  // namespace
}  // namespace sluice
