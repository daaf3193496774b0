#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/task.hpp"

namespace sluice::http {

enum class Code;  // problem.hpp

/// An answer that is being written. Reused from request to request, so that its buffers are
/// allocated once for a connection.
class Response {
  public:
    int status = 200;
    std::string_view content_type = "application/json";
    std::string_view cache_control = "no-store";

    std::optional<Code> problem;  // set for a problem, for the metrics

    /// The body: either written into `body`, or lent from `owner` by lend().
    std::string body;

    void add_header(std::string_view name, std::string_view value);

    /// Header lines, each with its line break.
    void add_lines(std::string_view lines) { extra_.append(lines); }

    /// Answers with bytes that somebody else keeps; `owner` keeps them alive until they are sent.
    /// Without an owner they have to live as long as the program.
    void lend(std::string_view bytes, std::shared_ptr<const void> owner = nullptr);

    /// Answers piece by piece with a body of unknown length. `next` appends a piece to its argument
    /// and returns whether another follows. If it throws, the connection ends, so that nobody takes
    /// half an answer for a whole one. It is destroyed when the last piece is on its way, or when
    /// the client is gone.
    using Pieces = std::move_only_function<Task<bool>(std::string& out)>;
    void send_in_pieces(Pieces next) { pieces_ = std::move(next); }
    bool in_pieces() const { return pieces_.has_value(); }
    Task<bool> next_piece(std::string& out) { return (*pieces_)(out); }
    void end_pieces() { pieces_.reset(); }

    std::string_view content() const { return lent_.data() ? lent_ : std::string_view(body); }
    std::string_view extra_headers() const { return extra_; }

    void clear();

  private:
    std::string extra_;
    std::string_view lent_;
    std::shared_ptr<const void> owner_;
    std::optional<Pieces> pieces_;
};

struct Framing {
    std::string_view date;  // IMF-fixdate
    std::string_view request_id;
    bool keep_alive = true;
    bool https = false;  // browsers reach us by https
    bool http_1_0 = false;
    bool head_only = false;  // the request was a HEAD
};

/// Appends the headers that every answer has.
void append_common_headers(std::string& out, const Framing&);

/// Appends the head, and the body unless it comes in pieces or is so long that it is better sent
/// from where it is. Returns whether nothing is left to be sent.
bool append_response(std::string& out, const Response&, const Framing&);

/// A piece of a body, as a chunk unless the client speaks HTTP/1.0, where the end of the connection
/// is the end of the body.
void append_piece(std::string& out, std::string_view piece, bool last, bool http_1_0);

}  // namespace sluice::http
