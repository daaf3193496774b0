#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

struct redisReply;
struct redisReader;

namespace sluice::redis {

/// One reply of Redis, or a part of one. Each accessor requires its own type of reply and throws
/// BadReply for any other, since then the other side is not what we expect.
class ReplyView {
  public:
    ReplyView() = default;
    explicit ReplyView(const redisReply* reply) : reply_(reply) {}

    bool is_nil() const;
    bool is_error() const;
    /// For an error, a string or a status.
    std::string_view text() const;
    /// For an integer, or a string of digits.
    std::int64_t number() const;
    /// For an array.
    std::size_t size() const;
    ReplyView operator[](std::size_t index) const;

  private:
    const redisReply* reply_ = nullptr;
};

/// Owns a reply.
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

/// Splits incoming bytes into replies. Bounded: a reply that is longer than `longest`, or that is
/// not RESP, throws BadReply, and nothing more can be read.
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
    std::size_t unread_ = 0;  // bytes since the last whole reply
};

}  // namespace sluice::redis
