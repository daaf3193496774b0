#include "adapters/redis/reply.hpp"

#include <string>

#include <gtest/gtest.h>

#include "adapters/redis/bad_reply.hpp"

namespace sluice::redis {
namespace {

constexpr std::size_t kLongest = 1'000;

Reply read(std::string_view bytes) {
    ReplyReader reader(kLongest);
    reader.feed(bytes);
    return std::move(reader.next().value());
}

TEST(RedisReply, IsReadWhateverPiecesItComesIn) {
    const std::string bytes = "*3\r\n$3\r\nwon\r\n:-7\r\n$-1\r\n";
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        ReplyReader reader(kLongest);
        reader.feed(std::string_view(bytes).substr(0, cut));
        ASSERT_FALSE(reader.next()) << cut;
        reader.feed(std::string_view(bytes).substr(cut));
        const auto reply = reader.next();
        ASSERT_TRUE(reply) << cut;
        EXPECT_EQ((*reply)[0].text(), "won");
        EXPECT_EQ((*reply)[1].number(), -7);
        EXPECT_TRUE((*reply)[2].is_nil());
        EXPECT_FALSE(reader.next());
    }
}

TEST(RedisReply, SeveralComeOneAfterTheOther) {
    ReplyReader reader(kLongest);
    reader.feed("+OK\r\n-ERR no\r\n:4");
    EXPECT_EQ(reader.next()->view().text(), "OK");
    EXPECT_TRUE(reader.next()->view().is_error());
    EXPECT_FALSE(reader.next());
    reader.feed("2\r\n");
    EXPECT_EQ(reader.next()->view().number(), 42);
}

TEST(RedisReply, IsOnlyWhatItIs) {
    EXPECT_EQ(read("$2\r\n42\r\n").view().number(), 42);
    EXPECT_THROW(read("$2\r\n4x\r\n").view().number(), BadReply);
    EXPECT_THROW(read(":42\r\n").view().text(), BadReply);
    EXPECT_THROW(read(":42\r\n").size(), BadReply);
    EXPECT_THROW(read("*1\r\n:1\r\n")[1], BadReply);
    EXPECT_THROW(ReplyView().text(), BadReply);
}

TEST(RedisReply, IsBounded) {
    ReplyReader reader(kLongest);
    reader.feed("$5000\r\n" + std::string(900, 'x'));
    EXPECT_FALSE(reader.next());
    reader.feed(std::string(200, 'x'));
    EXPECT_THROW(reader.next(), BadReply);
    ReplyReader wide(kLongest);
    wide.feed("*2000000000\r\n");
    EXPECT_THROW(wide.next(), BadReply) << "no memory is taken for elements that are not there";
    ReplyReader foreign(kLongest);
    foreign.feed("HTTP/1.1 400 Bad Request\r\n");
    EXPECT_THROW(foreign.next(), BadReply);
}

TEST(RedisReply, ManyShortOnesAreNotOneLongOne) {
    ReplyReader reader(kLongest);
    std::string bytes;
    for (int i = 0; i < 1'000; ++i) bytes += ":1\r\n";
    reader.feed(bytes + ":1");
    for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(reader.next());
    EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace sluice::redis
