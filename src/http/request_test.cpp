#include "http/request.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Request, ReadsQueryParametersWithinTheirBounds) {
    Request request;
    request.query =
        std::string_view("limit=1&state=so%6cd_out&empty=&bare&bad=%zz HTTP/1.1").substr(0, 44);
    EXPECT_EQ(request.parameter("limit"), "1");
    EXPECT_EQ(request.parameter("state"), "sold_out");
    EXPECT_EQ(request.parameter("empty"), "");
    EXPECT_EQ(request.parameter("bare"), "");
    EXPECT_EQ(request.parameter("bad"), "");
    EXPECT_EQ(request.parameter("absent"), std::nullopt);
    request.query = std::string_view("limit=12345").substr(0, 7);
    EXPECT_EQ(request.parameter("limit"), "1");
}

TEST(Request, FindsHeadersInAnyCase) {
    Request request;
    request.fields = {{"HOST", "a"}, {"host", "b"}};
    EXPECT_EQ(request.header("Host"), "a");
    EXPECT_EQ(request.header("Hos"), "");
}

}  // namespace
}  // namespace sluice::http
