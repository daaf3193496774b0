#include "http/negotiation.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Negotiation, AllowsOrForbidsByWeightCaseAndTheStar) {
    const struct {
        const char* accepted;
        bool gzip;
    } rows[] = {
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"br, gzip", true},
        {"br,\tgzip;q=0.5", true},
        {"gzip;q=1", true},
        {"gzip;q=0", false},
        {"gzip; Q=0", false},
        {"gzip ; q = 0.000", false},
        {"gzip;q=0.001", true},
        {"gzip;q=0, *", false},
        {"*", true},
        {"*;q=0", false},
        {"*;q=0, gzip", true},
        {"identity", false},
        {"xgzip, gzipx", false},
        {"br;q=1.0, deflate", false},
        {"gzip;q=", false},
        {"gzip;q=2", false},
        {"gzip;q=0.5x", false},
        {"gzip;q=nan", false},
        {"gzip;q=0..5", false},
        {"gzip;q=.5", false},
        {"gzip;q=1.001", false},
        {"gzip;q=0.0001", false},
        {"gzip;q=1.0000", true},
        {"gzip;level=9;q=0.1", true},
    };
    for (const auto& row : rows)
        EXPECT_EQ(choose_coding(row.accepted, {"gzip"}) == "gzip", row.gzip) << row.accepted;
}

TEST(Negotiation, ChoosesWhatTheClientWeighsMost) {
    const std::pair<const char*, std::string_view> rows[] = {
        {"br, gzip", "br"},
        {"gzip, br", "br"},
        {"gzip;q=0.5, br;q=0.5", "br"},
        {"gzip;q=0.5, br;q=0.1", "gzip"},
        {"gzip;q=0.501, br;q=0.5", "gzip"},
        {"gzip;q=1.0, br;q=0.999", "gzip"},
        {"gzip;q=0.1, br;q=0", "gzip"},
        {"*;q=0.5, br;q=0.1", "gzip"},
        {"*;q=0.1, gzip;q=0.5", "gzip"},
        {"*", "br"},
        {"identity, gzip;q=0.5", ""},
        {"identity;q=0.5, gzip", "gzip"},
        {"identity;q=0.5, gzip;q=0.5", "gzip"},
        {"identity;q=0", ""},
        {"", ""},
        {"deflate", ""},
    };
    for (const auto& [accepted, chosen] : rows)
        EXPECT_EQ(choose_coding(accepted, {"br", "gzip"}), chosen) << accepted;
}

TEST(Negotiation, KnowsWhatAnAcceptNames) {
    EXPECT_TRUE(accepts_type("text/html,application/xml;q=0.9,*/*;q=0.8", "text/html"));
    EXPECT_TRUE(accepts_type("application/json, Text/HTML;q=0.1", "text/html"));
    EXPECT_FALSE(accepts_type("text/html;q=0", "text/html"));
    EXPECT_FALSE(accepts_type("*/*", "text/html"));
    EXPECT_FALSE(accepts_type("", "text/html"));
}

TEST(Negotiation, ComparesEtagsWeakly) {
    const std::string etag = etag_of("the same bytes");
    EXPECT_EQ(etag, etag_of("the same bytes"));
    EXPECT_NE(etag, etag_of("other bytes"));
    ASSERT_TRUE(etag.starts_with("W/\""));
    const auto strong = etag.substr(2);
    for (const auto& known :
         {etag, strong, "\"a\", " + etag, "\"a\" ,\t" + strong + " , \"b\"", std::string("*")})
        EXPECT_TRUE(is_known(known, etag)) << known;
    for (const auto& known : {std::string(), std::string(","), std::string("\"a\", W/\"b\""),
                              strong.substr(1), "x" + etag, std::string("W/")})
        EXPECT_FALSE(is_known(known, etag)) << known;
}

}  // namespace
}  // namespace sluice::http
