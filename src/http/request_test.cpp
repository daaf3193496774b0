#include "http/request.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Request, ReadsQueryParametersWithinTheirBounds) {
    Request request;
    request.query = std::string_view("limit=12345&state=so%6cd_out").substr(0, 7);
    EXPECT_EQ(request.parameter("limit").text, "1");
    EXPECT_TRUE(request.parameter("state").absent());
}

TEST(Request, TellsAbsentFromEmptyFromBroken) {
    using enum Parameter::Form;
    struct {
        const char* query;
        Parameter::Form form;
        const char* text;
        bool blank;
    } const rows[] = {
        {"", absent, "", true},
        {"other=1&&=2&%zz=3&st=4&states=5", absent, "", true},
        {"state", given, "", true},
        {"state=", given, "", true},
        {"state=&state=open", given, "", true},
        {"a=b&st%61te=so%6cd_out", given, "sold_out", false},
        {"state=a=b", given, "a=b", false},
        {"state=%", broken, "", false},
        {"state=open%2", broken, "", false},
        {"state=%zz&state=open", broken, "", false},
        {"state=%00", broken, "", false},
        {"state=open%00", broken, "", false},
    };
    for (const auto& row : rows) {
        Request request;
        request.query = row.query;
        const auto state = request.parameter("state");
        EXPECT_EQ(state.form, row.form) << row.query;
        EXPECT_EQ(state.text, row.text) << row.query;
        EXPECT_EQ(state.blank(), row.blank) << row.query;
    }
}

TEST(Request, FindsHeadersInAnyCase) {
    Request request;
    request.fields = {{"HOST", "a"}, {"host", "b"}};
    EXPECT_EQ(request.header("Host"), "a");
    EXPECT_EQ(request.header("Hos"), "");
}

}  // namespace
}  // namespace sluice::http
