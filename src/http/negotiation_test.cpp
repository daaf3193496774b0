#include "http/negotiation.hpp"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(Negotiation, HeedsWeightsCaseAndTheStar) {
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
    };
    for (const auto& row : rows)
        EXPECT_EQ(accepts_coding(row.accepted, "gzip"), row.gzip) << row.accepted;
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
