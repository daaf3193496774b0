#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

struct redisReply;
struct redisReader;

namespace sluice::redis {

/// One answer of Redis, or a part of one. What is asked of it must be what it is: everything else
/// throws BadReply, since it means that the other side is not what we take it for.
class ReplyView {
  public:
    ReplyView() = default;
    explicit ReplyView(const redisReply* reply) : reply_(reply) {}

    bool is_nil() const;
    bool is_error() const;
    /// Of an error, a string or a status.
    std::string_view text() const;
    /// Of an integer, or of a string of digits.
    std::int64_t number() const;
    /// Of an array.
    std::size_t size() const;
    ReplyView operator[](std::size_t index) const;

  private:
    const redisReply* reply_ = nullptr;
};

/// Owns an answer.
class Reply {
  public:
    Reply() = default;
    explicit Reply(redisReply* reply) : reply_(reply) {}

    ReplyView view() const { return ReplyView(reply_.get()); }
    ReplyView operator[](std::size_t index) const { return view()[index]; }
    std::size_t size() const { return view().size(); }

  private:
    struct Free {
        void operator()(redisReply* reply) const;
    };
    std::unique_ptr<redisReply, Free> reply_;
};

/// Takes answers apart as they arrive. Bounded: an answer that is longer than `longest`, or no RESP
/// at all, throws BadReply, and nothing more can be read.
class ReplyReader {
  public:
    explicit ReplyReader(std::size_t longest);

    void feed(std::string_view bytes);
    /// nullopt until a whole one is there.
    std::optional<Reply> next();

  private:
    struct Free {
        void operator()(redisReader* reader) const;
    };
    std::unique_ptr<redisReader, Free> reader_;
    const std::size_t longest_;
    std::size_t unread_ = 0;  // fed since the last whole answer
};

}  // namespace sluice::redis
