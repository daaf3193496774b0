#include "http/representation.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace sluice::http {
namespace {

std::string plain_of(std::string_view zipped) {
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
    std::string out(1 << 20, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zipped.data()));
    stream.avail_in = static_cast<uInt>(zipped.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(out.size() - stream.avail_out);
    inflateEnd(&stream);
    return out;
}

struct Answered : Exchange {
    explicit Answered(std::size_t bytes, std::string_view accepted = "gzip") {
        response.body.assign(bytes, 'a');
        if (!accepted.empty()) request.fields.push_back({"Accept-Encoding", accepted});
    }
    bool says(std::string_view line) const {
        return response.extra_headers().find(line) != std::string_view::npos;
    }
};

TEST(Condenser, ZipsWhatIsWorthIt) {
    Condenser condenser;
    for (int round = 0; round < 2; ++round) {
        Answered answered(Condenser::kWorthIt);
        condenser.condense(answered);
        EXPECT_TRUE(answered.says("Content-Encoding: gzip\r\n"));
        EXPECT_TRUE(answered.says("Vary: Accept-Encoding\r\n"));
        EXPECT_LT(answered.response.content().size(), 100u);
        EXPECT_EQ(plain_of(answered.response.content()), std::string(Condenser::kWorthIt, 'a'));
    }
}

TEST(Condenser, LeavesTheRestAlone) {
    Condenser condenser;
    Answered small(Condenser::kWorthIt - 1), plain(9000, ""), no(9000, "gzip;q=0"), refusal(9000),
        made(9000), late(9000), lent(0);
    refusal.response.status = 409;
    made.request.method = Method::post;
    late.lag = Condenser::kTooLate + std::chrono::milliseconds{1};
    const std::string kept(9000, 'b');
    lent.response.lend(kept);
    for (auto* each : {&small, &plain, &no, &refusal, &made, &late, &lent}) {
        const std::string before(each->response.content());
        condenser.condense(*each);
        EXPECT_FALSE(each->says("Content-Encoding")) << before.size();
        EXPECT_EQ(each->response.content(), before);
    }
}

TEST(Condenser, KnowsWhatTheClientHas) {
    Condenser condenser;
    Answered first(2000, "");
    condenser.condense(first);
    const std::string headers(first.response.extra_headers());
    const auto begin = headers.find("ETag: ") + 6;
    const auto etag = headers.substr(begin, headers.find("\r\n", begin) - begin);

    Answered again(2000, ""), other(2001, "");
    again.request.fields.push_back({"If-None-Match", etag});
    other.request.fields.push_back({"If-None-Match", etag});
    condenser.condense(again);
    condenser.condense(other);
    EXPECT_EQ(again.response.status, 304);
    EXPECT_TRUE(again.says("Vary: Accept-Encoding\r\n"));
    EXPECT_EQ(other.response.status, 200);
}

TEST(Condenser, GivesNoEtagToWhatSaysWhenItWasMade) {
    Condenser condenser;
    Answered answered(2000);
    answered.response.cache_control = "public, max-age=0, s-maxage=1";
    condenser.condense(answered);
    EXPECT_FALSE(answered.says("ETag"));
    EXPECT_TRUE(answered.says("Content-Encoding: gzip"));
}

}  // namespace
}  // namespace sluice::http
