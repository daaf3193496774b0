#include "adapters/redis/reply.hpp"

#include <charconv>
#include <string>

#include <hiredis/hiredis.h>

#include "adapters/redis/bad_reply.hpp"

namespace sluice::redis {
namespace {

constexpr int kMostElements = 100'000;

using CreateArray = void* (*)(const redisReadTask*, int);
CreateArray unbounded_array = nullptr;

/// The count is read before the elements arrive, and memory is taken for it at once.
void* bounded_array(const redisReadTask* task, int elements) {
    return elements > kMostElements ? nullptr : unbounded_array(task, elements);
}

redisReplyObjectFunctions* bounded_functions(const redisReader& reader) {
    static redisReplyObjectFunctions functions = [&] {
        auto own = *reader.fn;
        unbounded_array = own.createArray;
        own.createArray = bounded_array;
        return own;
    }();
    return &functions;
}

const redisReply& require(const redisReply* reply, bool is_right, const char* expected) {
    if (!reply || !is_right) throw BadReply(std::string("Redis did not answer with ") + expected);
    return *reply;
}

bool has_text(const redisReply* reply) {
    return reply && (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS ||
                     reply->type == REDIS_REPLY_ERROR);
}

}  // namespace

bool ReplyView::is_nil() const {
    return !reply_ || reply_->type == REDIS_REPLY_NIL;
}

bool ReplyView::is_error() const {
    return reply_ && reply_->type == REDIS_REPLY_ERROR;
}

std::string_view ReplyView::text() const {
    const auto& reply = require(reply_, has_text(reply_), "a text");
    return {reply.str, reply.len};
}

std::int64_t ReplyView::number() const {
    if (reply_ && reply_->type == REDIS_REPLY_INTEGER) return reply_->integer;
    const auto digits = text();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    require(reply_, error == std::errc{} && end == digits.data() + digits.size(), "a number");
    return number;
}

std::size_t ReplyView::size() const {
    return require(reply_, reply_ && reply_->type == REDIS_REPLY_ARRAY, "a list").elements;
}

ReplyView ReplyView::operator[](std::size_t index) const {
    const bool is_there = index < size();
    return ReplyView(require(reply_, is_there, "so many values").element[index]);
}

void Reply::Free::operator()(redisReply* reply) const {
    freeReplyObject(reply);
}

ReplyReader::ReplyReader(std::size_t longest) : reader_(redisReaderCreate()), longest_(longest) {
    if (!reader_) throw std::bad_alloc();
    reader_->fn = bounded_functions(*reader_);
}

void ReplyReader::feed(std::string_view bytes) {
    unread_ += bytes.size();
    if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK)
        throw BadReply(std::string("cannot read Redis: ") + reader_->errstr);
}

std::optional<Reply> ReplyReader::next() {
    void* found = nullptr;
    if (redisReaderGetReply(reader_.get(), &found) != REDIS_OK)
        throw BadReply(std::string("cannot read Redis: ") + reader_->errstr);
    if (!found) {
        if (unread_ > longest_) throw BadReply("an answer of Redis is too long");
        return std::nullopt;
    }
    unread_ = reader_->len - reader_->pos;
    return Reply(static_cast<redisReply*>(found));
}

void ReplyReader::Free::operator()(redisReader* reader) const {
    redisReaderFree(reader);
}

}  // namespace sluice::redis
