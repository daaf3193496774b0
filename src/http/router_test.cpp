#include "http/router.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

constexpr Route kRoutes[] = {
    {"list", Method::get, "/sales", Access::anyone, {}},
    {"one", Method::get, "/sales/{id}", Access::anyone, {}},
    {"create", Method::post, "/sales", Access::operators, {}},
    {"buy", Method::post, "/sales/{id}/orders/{pass}", Access::user, {}},
    {"mine", Method::get, "/sales/{id}/ticket", Access::user, {}},
};

TEST(Router, FindsRowsAndParameters) {
    const Router router{kRoutes, {}};
    EXPECT_EQ(router.find(Method::get, "/sales").route, 0u);
    EXPECT_EQ(router.find(Method::post, "/sales").route, 2u);
    const auto match = router.find(Method::post, "/sales/17/orders/abc");
    EXPECT_EQ(match.route, 3u);
    EXPECT_EQ(match.parameters[0], "17");
    EXPECT_EQ(match.parameters[1], "abc");
}

TEST(Router, HeadIsGetWithoutItsBody) {
    const Router router{kRoutes, {}};
    EXPECT_EQ(router.find(Method::head, "/sales/17").route, 1u);
    EXPECT_EQ(router.find(Method::head, "/sales/17/orders/abc").route, kNoRoute);
}

TEST(Router, SaysWhichMethodsThereAre) {
    const Router router{kRoutes, {}};
    const auto match = router.find(Method::delete_, "/sales");
    EXPECT_EQ(match.route, kNoRoute);
    EXPECT_EQ(match.allow, "GET, HEAD, POST");
    EXPECT_EQ(router.find(Method::other, "/sales").allow, "GET, HEAD, POST");
}

TEST(Router, DoesNotTellOfWhatItDoesNotShow) {
    constexpr Route routes[] = {
        {"shop", Method::get, "/sales", Access::anyone, {}},
        {"office", Method::post, "/sales", Access::operators, {}, Surface::office},
        {"trail", Method::get, "/trail", Access::operators, {}, Surface::office}};
    const Router router{routes, {.shop = true, .office = false}};
    EXPECT_EQ(router.find(Method::post, "/sales").allow, "GET, HEAD");
    EXPECT_EQ(router.find(Method::post, "/trail").allow, "");
}

TEST(Router, KnowsNothingElse) {
    const Router router{kRoutes, {}};
    for (const char* path : {"", "/", "sales", "/sales/", "/sales//ticket", "/sales/1/", "/sale",
                             "/sales/1/orders", "/sales/1/orders/a/b", "//sales"}) {
        const auto match = router.find(Method::get, path);
        EXPECT_EQ(match.route, kNoRoute) << path;
        EXPECT_EQ(match.allow, "") << path;
    }
}

}  // namespace
}  // namespace sluice::http
