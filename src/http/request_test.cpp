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
    } const rows[] = {
        {"", absent, ""},
        {"other=1&&=2&%zz=3&st=4&states=5", absent, ""},
        {"state", given, ""},
        {"state=", given, ""},
        {"state=&state=open", given, ""},
        {"a=b&st%61te=so%6cd_out", given, "sold_out"},
        {"state=a=b", given, "a=b"},
        {"state=%", broken, ""},
        {"state=open%2", broken, ""},
        {"state=%zz&state=open", broken, ""},
        {"state=%00", broken, ""},
        {"state=open%00", broken, ""},
    };
    for (const auto& row : rows) {
        Request request;
        request.query = row.query;
        const auto state = request.parameter("state");
        EXPECT_EQ(state.form, row.form) << row.query;
        EXPECT_EQ(state.text, row.text) << row.query;
    }
}

TEST(Request, NamesTheFirstParameterThatIsUnknownEmptyOrRepeated) {
    constexpr auto unknown = Rule::unknown_parameter, empty = Rule::empty,
                   twice = Rule::given_twice;
    const KnownQuery strict({"a", "sale_id"}, KnownQuery::Strictness::strict);
    const KnownQuery lax({"a", "sale_id"}, KnownQuery::Strictness::lax);
    const std::pair<const char*, std::optional<QueryFlaw>> rows[] = {
        {"", {}},
        {"a=1&sale_id=2", {}},
        {"&&a=1&", {}},
        {"=", {}},
        {"=1", QueryFlaw{"", unknown}},
        {"a=", QueryFlaw{"a", empty}},
        {"a", QueryFlaw{"a", empty}},
        {"a=1&sale_id=&a=", QueryFlaw{"sale_id", empty}},
        {"a=%20", {}},
        {"sale=1", QueryFlaw{"sale", unknown}},
        {"A=1", QueryFlaw{"A", unknown}},
        {"utm_source", QueryFlaw{"utm_source", unknown}},
        {"%zz=1&a=2", QueryFlaw{"%zz", unknown}},
        {"a=1&b=2&a=3", QueryFlaw{"b", unknown}},
        {"a=1&a=1", QueryFlaw{"a", twice}},
        {"sale_id=1&s%61le_id=2", QueryFlaw{"s%61le_id", twice}},
    };
    for (const auto& [query, flaw] : rows) {
        Request request;
        request.query = query;
        EXPECT_EQ(request.find_query_flaw(strict), flaw) << query;
        EXPECT_EQ(request.find_query_flaw(lax), std::nullopt) << query;
    }
}

TEST(Request, JoinsTheLinesOfAList) {
    Request request;
    EXPECT_EQ(request.list_header("Accept-Encoding"), "");
    request.fields = {{"accept-encoding", "br;q=0"}, {"Accept", "a"}, {"Accept-Encoding", "gzip"}};
    EXPECT_EQ(request.list_header("Accept-Encoding"), "br;q=0, gzip");
}

TEST(Request, TellsAnEmptyHeaderFromNone) {
    Request request;
    request.fields = {{"Idempotency-Key", ""}};
    EXPECT_EQ(request.find_header("idempotency-key"), "");
    EXPECT_EQ(request.find_header("Authorization"), std::nullopt);
}

TEST(Request, FindsHeadersInAnyCase) {
    Request request;
    request.fields = {{"HOST", "a"}, {"host", "b"}};
    EXPECT_EQ(request.header("Host"), "a");
    EXPECT_EQ(request.header("Hos"), "");
}

}  // namespace
}  // namespace sluice::http
